package schema_test

import "reflect"

// The twins are declared in functions so that both have the same name.

func gatedField() reflect.Type {
	type Body struct {
		Name  string  `json:"name"`
		Note  *string `json:"note" gate:"requires(admin)" desc:"Not for everyone." mcp:"max=3"`
		Level int     `json:"level" gate:"requires(admin)" mcp:"default=3"`
		Age   *int    `json:"age"`
	}
	return reflect.TypeFor[Body]()
}

func twinField() reflect.Type {
	type Body struct {
		Name string `json:"name"`
		Age  *int   `json:"age"`
	}
	return reflect.TypeFor[Body]()
}

var fieldBodies = []string{
	`{"name":"n"}`, `{}`, `null`, `[]`, `{"name":"n","note":"x"}`, `{"name":"n","note":null}`, `{"name":"n","note":"too long"}`,
	`{"name":"n","NOTE":"x"}`, `{"name":"n","level":1}`, `{"name":"n","level":"x"}`, `{"note":{"a":1},"age":"x","level":[]}`,
	`{"name":"n","note":"x","note":"y"}`, `{"name":"n","Note":1,"nope":2}`, `{"nothing":1}`, `{"levels":1}`, `{"not":1}`,
}

func gatedNested() reflect.Type {
	type Line struct {
		Label  string `json:"label"`
		Secret *int   `json:"secret" gate:"requires(admin)"`
	}
	type Body struct {
		Items []Line          `json:"items"`
		Named map[string]Line `json:"named" mcp:"optional"`
		Whole *struct {
			Hidden *int `json:"hidden" gate:"requires(admin)"`
		} `json:"whole"`
	}
	return reflect.TypeFor[Body]()
}

func twinNested() reflect.Type {
	type Line struct {
		Label string `json:"label"`
	}
	type Body struct {
		Items []Line          `json:"items"`
		Named map[string]Line `json:"named" mcp:"optional"`
	}
	return reflect.TypeFor[Body]()
}

var nestedBodies = []string{
	`{"items":[]}`, `{"items":[{"label":"x","secret":1}]}`, `{"items":[{"secret":"x"},{"label":"x","secret":null},{"Secret":1}]}`,
	`{"items":[],"named":{"secret":{"label":"x","secret":1}}}`, `{"items":[],"whole":{}}`, `{"items":[],"whole":{"hidden":1}}`, `{"whole":null}`,
}

func gatedUse() reflect.Type {
	type Body struct {
		Home Addr  `json:"home"`
		Work *Addr `json:"work" gate:"requires(admin)"`
	}
	return reflect.TypeFor[Body]()
}

func twinUse() reflect.Type {
	type Body struct {
		Home Addr `json:"home"`
	}
	return reflect.TypeFor[Body]()
}

var useBodies = []string{`{"home":{"city":"c"}}`, `{"home":{"city":"c"},"work":{"city":"c"}}`, `{"work":{}}`}

func gatedPlace() reflect.Type {
	type Body struct {
		Code   *int    `json:"code" mcp:"at=error.code"`
		Detail *string `json:"detail" mcp:"at=error.detail" gate:"requires(admin)"`
		Trace  *string `json:"trace" mcp:"at=debug.trace" gate:"requires(admin)"`
	}
	return reflect.TypeFor[Body]()
}

func twinPlace() reflect.Type {
	type Body struct {
		Code *int `json:"code" mcp:"at=error.code"`
	}
	return reflect.TypeFor[Body]()
}

var placeBodies = []string{`{}`, `{"error":{"detail":"x"}}`, `{"error":{"code":1}}`, `{"debug":{}}`, `{"debug":{"trace":"x"}}`, `{"trace":"x"}`}

func gatedDependency() reflect.Type {
	type Body struct {
		F *string `json:"f" mcp:"requiredWith=p"`
		P *string `json:"p" gate:"requires(admin)"`
		G *string `json:"g" mcp:"needs=p"`
		H *string `json:"h" mcp:"needs=g"`
	}
	return reflect.TypeFor[Body]()
}

func twinDependency() reflect.Type {
	type Body struct {
		F *string `json:"f"`
	}
	return reflect.TypeFor[Body]()
}

var dependencyBodies = []string{`{}`, `{"f":"x"}`, `{"p":"x"}`, `{"p":"x","g":"x"}`, `{"g":"x","h":"x"}`}

func gatedOpen() reflect.Type {
	type Body struct {
		Name string         `json:"name"`
		Note *int           `json:"note" gate:"requires(admin)"`
		Rest map[string]any `mcp:"rest"`
	}
	return reflect.TypeFor[Body]()
}

func twinOpen() reflect.Type {
	type Body struct {
		Name string         `json:"name"`
		Rest map[string]any `mcp:"rest"`
	}
	return reflect.TypeFor[Body]()
}

var openBodies = []string{`{"name":"n"}`, `{"name":"n","note":1}`, `{"name":"n","note":"x"}`, `{"name":"n","note":null}`, `{"note":{}}`}
