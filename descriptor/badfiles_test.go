package descriptor_test

import "strings"

// badFiles are files with the exact messages they earn.
var badFiles = []struct {
	name, in string
	want     []string
}{
	{
		name: "empty file",
		in:   "",
		want: []string{
			"acme.yaml: the file is empty: it needs at least resources",
		},
	},
	{
		name: "comments only",
		in: `# nothing yet
`,
		want: []string{
			"acme.yaml: the file is empty: it needs at least resources",
		},
	},
	{
		name: "a scalar",
		in: `orders
`,
		want: []string{
			"acme.yaml:1: write a mapping; this is text",
		},
	},
	{
		name: "a list",
		in: `- orders
`,
		want: []string{
			"acme.yaml:1: write a mapping; this is a list",
		},
	},
	{
		name: "no resources",
		in: `server: {name: acme}
`,
		want: []string{
			"acme.yaml:1: resources: is required: the tables to serve, by name",
		},
	},
	{
		name: "empty resources",
		in: `resources: {}
`,
		want: []string{
			"acme.yaml:1: resources: is empty: a file serves at least one resource",
		},
	},
	{
		name: "resources without value",
		in: `resources:
`,
		want: []string{
			"acme.yaml:1: resources: is empty: write a mapping, or leave the key out",
		},
	},
	{
		name: "bad UTF-8",
		in:   "resources:\n  a\xff: 1\n",
		want: []string{
			"acme.yaml:2: a character that a text file cannot hold: save it as UTF-8 without control characters",
		},
	},
	{
		name: "control character",
		in:   "resources:\n\n  a: \x01\n",
		want: []string{
			"acme.yaml:3: a character that a text file cannot hold: save it as UTF-8 without control characters",
		},
	},
	{
		name: "open list",
		in: `server:
  allowed_origins: [https://a.example
resources: {}
`,
		want: []string{
			"acme.yaml:2: not valid YAML: did not find expected ',' or ']'; inside [ ] and { } a ${NAME} needs quotes",
		},
	},
	{
		name: "variable in braces",
		in: `auth:
  static: [{token: ${TOKEN}, subject: a, tenant: 1}]
resources: {}
`,
		want: []string{
			"acme.yaml:2: not valid YAML: did not find expected ',' or '}'; inside [ ] and { } a ${NAME} needs quotes",
		},
	},
	{
		name: "bad indentation",
		in: `server:
    name: acme
  path: /mcp
`,
		want: []string{
			"acme.yaml:3: not valid YAML: did not find expected key",
		},
	},
	{
		name: "tab",
		in: `server:
	name: acme
`,
		want: []string{
			"acme.yaml:2: not valid YAML: found character that cannot start any token",
		},
	},
	{
		name: "colon in text",
		in: `server:
  name: acme: two
`,
		want: []string{
			"acme.yaml:2: not valid YAML: mapping values are not allowed in this context; a text with a colon before a blank or at its end needs quotes",
		},
	},
	{
		name: "open quote",
		in: `server:
  name: "acme
`,
		want: []string{
			"acme.yaml:2: not valid YAML: found unexpected end of stream",
		},
	},
	{
		name: "unknown anchor",
		in: `database: *hunter2
`,
		want: []string{
			"acme.yaml: not valid YAML: an alias (*) names an anchor that is not there; quote a text that begins with *",
		},
	},
	{
		name: "two documents",
		in: `resources: {}
---
resources: {}
`,
		want: []string{
			"acme.yaml:2: a second document begins here: one file holds one",
		},
	},
	{
		name: "bad second document",
		in: `resources: {}
...
[
`,
		want: []string{
			"acme.yaml:3: not valid YAML: did not find expected <document start>",
		},
	},
	{
		name: "anchor, alias, merge and tag",
		in: `defaults: &d {requires: a}
limits: *d
server:
  <<: *d
  name: !!str 5
` + tail,
		want: []string{
			"acme.yaml:1: an anchor (&) is not used in this file: write the value out, or quote a text that begins with &",
			"acme.yaml:2: an alias (*) is not used in this file: write the value out, or quote a text that begins with *",
			"acme.yaml:4: an alias (*) is not used in this file: write the value out, or quote a text that begins with *",
			"acme.yaml:4: server: a merge key (<<) is not used in this file: write the members out",
			"acme.yaml:5: a tag (!) is not used in this file: quote a text that begins with !",
		},
	},
	{
		name: "many aliases",
		in: `server:
  allowed_origins: &a [x, x]
  name: [*a, *a, *a]
` + tail,
		want: []string{
			"acme.yaml:2: an anchor (&) is not used in this file: write the value out, or quote a text that begins with &",
			"acme.yaml:2: server.allowed_origins: write an origin: https://HOST or http://HOST:PORT, with nothing after it",
			"acme.yaml:2: server.allowed_origins: write an origin: https://HOST or http://HOST:PORT, with nothing after it",
			"acme.yaml:3: an alias (*) is not used in this file: write the value out, or quote a text that begins with *",
			"acme.yaml:3: an alias (*) is not used in this file: write the value out, or quote a text that begins with *",
			"acme.yaml:3: an alias (*) is not used in this file: write the value out, or quote a text that begins with *",
			"acme.yaml:3: server.name: write text (in quotes, if it looks like a number or a date); this is a list",
		},
	},
	{
		name: "deep nesting",
		in:   "narrow: " + strings.Repeat("[", 80) + strings.Repeat("]", 80) + "\n" + tail,
		want: []string{
			"acme.yaml:1: nested more than 64 deep",
			`acme.yaml:1: unknown key "narrow": write one of database, require_rls, server, auth, cursor_keys, defaults, limits, resources`,
		},
	},
	{
		name: "unknown keys",
		in: `databse: x
servr: {name: acme}
server: {listn: "127.0.0.1:1", zzz: 1}
completely_else: 1
` + tail,
		want: []string{
			`acme.yaml:1: unknown key "databse": did you mean database?`,
			`acme.yaml:2: unknown key "servr": did you mean server?`,
			`acme.yaml:3: server: unknown key "listn": did you mean listen?`,
			`acme.yaml:3: server: unknown key "zzz": write one of name, listen, path, prefix, public_url, allowed_origins, content`,
			`acme.yaml:4: unknown key "completely_else": write one of database, require_rls, server, auth, cursor_keys, defaults, limits, resources`,
		},
	},
	{
		name: "duplicate keys",
		in: `server:
  name: a
  path: /a
  name: b
server: {name: c}
` + tail,
		want: []string{
			`acme.yaml:4: server: the key "name" is written twice, first on line 2`,
			`acme.yaml:5: the key "server" is written twice, first on line 1`,
		},
	},
	{
		name: "keys that are no text",
		in: `1: a
true: b
? [x]
: c
${HOME}: d
&k key: e
` + tail,
		want: []string{
			"acme.yaml:1: a key is text: put a key that looks like a number in quotes",
			"acme.yaml:2: a key is text: put a key that looks like true or false in quotes",
			"acme.yaml:3: a key is plain text, without anchor, alias or tag",
			"acme.yaml:5: a key is never expanded: write the name itself",
			"acme.yaml:6: a key is plain text, without anchor, alias or tag",
		},
	},
	{
		name: "wrong types",
		in: `database: 5
require_rls: "yes"
server: [acme]
auth: yes
cursor_keys: abc
defaults: 1
limits: {default: "25", max: 2.5, page_bytes: true, statement_timeout: 5}
` + tail,
		want: []string{
			"acme.yaml:1: database: write text (in quotes, if it looks like a number or a date); this is a number",
			"acme.yaml:2: require_rls: write true or false; this is text",
			"acme.yaml:3: server: write a mapping; this is a list",
			"acme.yaml:4: auth: write a mapping; this is text",
			"acme.yaml:5: cursor_keys: write a list; this is text",
			"acme.yaml:6: defaults: write a mapping; this is a number",
			"acme.yaml:7: limits.statement_timeout: write a duration such as 5s or 250ms; this is a number",
			"acme.yaml:7: limits.default: write a whole number; this is text",
			"acme.yaml:7: limits.max: write a whole number; this is a number",
			"acme.yaml:7: limits.page_bytes: write a whole number; this is true or false",
		},
	},
	{
		name: "empty values",
		in: `database:
require_rls: ~
server:
defaults: {requires: }
limits: {max: , statement_timeout: null}
` + tail,
		want: []string{
			"acme.yaml:1: database: is empty: write text (in quotes, if it looks like a number or a date), or leave the key out",
			"acme.yaml:2: require_rls: is empty: write true or false, or leave the key out",
			"acme.yaml:3: server: is empty: write a mapping, or leave the key out",
			"acme.yaml:4: defaults.requires: is empty: write text (in quotes, if it looks like a number or a date), or leave the key out",
			"acme.yaml:5: limits.statement_timeout: is empty: write a duration such as 5s or 250ms, or leave the key out",
			"acme.yaml:5: limits.max: is empty: write a whole number, or leave the key out",
		},
	},
	{
		name: "variables",
		in: `database: ${NOT_SET}
server:
  name: ${}
  path: ${1X}
  public_url: ${OPEN
  listen: ${ALSO_NOT_SET}:80
` + tail,
		want: []string{
			"acme.yaml:1: the environment variable NOT_SET is not set",
			"acme.yaml:3: ${ begins the name of a variable, ${NAME}: write $${ for the two characters themselves",
			"acme.yaml:4: ${ begins the name of a variable, ${NAME}: write $${ for the two characters themselves",
			"acme.yaml:5: ${ begins the name of a variable, ${NAME}: write $${ for the two characters themselves",
			"acme.yaml:6: the environment variable ALSO_NOT_SET is not set",
		},
	},
	{
		name: "database",
		in: `database: mysql://root:hunter2@db
` + tail,
		want: []string{
			"acme.yaml:1: database: write postgres://USER@HOST/NAME, sqlite:FILE or sqlite::memory:",
		},
	},
	{
		name: "database without a name",
		in: `database: 'sqlite:'
` + tail,
		want: []string{
			"acme.yaml:1: database: write postgres://USER@HOST/NAME, sqlite:FILE or sqlite::memory:",
		},
	},
	{
		name: "database from a variable",
		in: `database: ${SECRET}
` + tail,
		want: []string{
			"acme.yaml:1: database: write postgres://USER@HOST/NAME, sqlite:FILE or sqlite::memory:",
		},
	},
	{
		name: "row policies on SQLite",
		in: `database: "sqlite::memory:"
require_rls: true
` + tail,
		want: []string{
			"acme.yaml:2: require_rls: SQLite has no row policies to check: write false, or use PostgreSQL",
		},
	},
	{
		name: "unquoted database in memory",
		in: `database: sqlite::memory:
` + tail,
		want: []string{
			"acme.yaml:1: not valid YAML: mapping values are not allowed in this context; a text with a colon before a blank or at its end needs quotes",
		},
	},
	{
		name: "limits",
		in: `limits: {default: 60, max: 50, page_bytes: 10, statement_timeout: -5s}
` + tail,
		want: []string{
			`acme.yaml:1: limits.statement_timeout: "-5s" is not a duration above zero: write a duration such as 5s or 250ms`,
			"acme.yaml:1: limits.default: the default of 60 rows is above the maximum of 50",
			"acme.yaml:1: limits.page_bytes: a page has at least 1024 bytes",
		},
	},
	{
		name: "more limits",
		in: `limits:
  default: 0
  max: 501
  page_bytes: 0x400
  statement_timeout: soon
` + tail,
		want: []string{
			"acme.yaml:2: limits.default: write a whole number from 1 to 500 in plain digits",
			"acme.yaml:3: limits.max: write a whole number from 1 to 500 in plain digits",
			"acme.yaml:4: limits.page_bytes: write a whole number from 1 to 16777216 in plain digits",
			`acme.yaml:5: limits.statement_timeout: "soon" is not a duration above zero: write a duration such as 5s or 250ms`,
		},
	},
	{
		name: "server",
		in: `server:
  name: ""
  listen: localhost
  path: mcp
  prefix: "acme."
  public_url: https://acme.example/mcp
  allowed_origins: ["*", ftp://a.example, http://a.example, https://u:hunter2@a.example, 5]
  zzz: 1
  content: structurd
` + tail,
		want: []string{
			"acme.yaml:2: server.name: is empty",
			"acme.yaml:3: server.listen: write the address as HOST:PORT, such as 127.0.0.1:8377",
			"acme.yaml:4: server.path: write a path such as /mcp: / and letters, digits, dots, _ ~ or - after it",
			"acme.yaml:5: server.prefix: a prefix has at most 25 letters, digits, _ or -",
			"acme.yaml:6: server.public_url: write an origin: https://HOST or http://HOST:PORT, with nothing after it",
			"acme.yaml:7: server.allowed_origins: write an origin: https://HOST or http://HOST:PORT, with nothing after it",
			"acme.yaml:7: server.allowed_origins: write an origin: https://HOST or http://HOST:PORT, with nothing after it",
			"acme.yaml:7: server.allowed_origins: write an origin: https://HOST or http://HOST:PORT, with nothing after it",
			"acme.yaml:7: server.allowed_origins: write text (in quotes, if it looks like a number or a date); this is a number",
			`acme.yaml:8: server: unknown key "zzz": write one of name, listen, path, prefix, public_url, allowed_origins, content`,
			`acme.yaml:9: server.content: "structurd" is not a form of content: did you mean structured?`,
		},
	},
	{
		name: "public URL in the clear",
		in:   "server: {public_url: \"http://acme.example\"}\n" + tail,
		want: []string{
			"acme.yaml:1: server.public_url: an origin that other machines use begins with https://",
		},
	},
	{
		name: "reserved path",
		in: `server: {path: /readyz}
` + tail,
		want: []string{
			"acme.yaml:1: server.path: /readyz answers health checks: write another path, such as /mcp",
		},
	},
	{
		name: "content from a variable",
		in: `server: {content: "${SECRET}"}
` + tail,
		want: []string{
			"acme.yaml:1: server.content: the variable's value is not a form of content: write one of both, text, structured",
		},
	},
	{
		name: "port",
		in: `server: {listen: "127.0.0.1:http"}
` + tail,
		want: []string{
			"acme.yaml:1: server.listen: the port is a number from 0 to 65535",
		},
	},
	{
		name: "static elsewhere",
		in: `server:
  listen: 0.0.0.0:8377
auth:
  static: [{token: hunter2, subject: a, tenant: 1}]
` + tail,
		want: []string{
			"acme.yaml:2: server.listen: static tokens are for development: with auth.static the address is a loopback one, such as 127.0.0.1:8377",
			"acme.yaml:2: server.listen: an address that other machines reach needs server.public_url, the origin clients use",
		},
	},
	{
		name: "elsewhere",
		in: `database: sqlite:acme.db
server: {listen: ":8377"}
` + tail,
		want: []string{
			"acme.yaml:2: server.listen: an address that other machines reach needs server.public_url, the origin clients use",
			"acme.yaml:2: server.listen: SQLite has no row policies: to serve it to other machines all the same, write require_rls: false",
		},
	},
	{
		name: "verifiers to come",
		in: `auth:
  jwt: {issuer: "https://a.example"}
  introspection: {url: "https://a.example", client_secret: hunter2}
` + tail,
		want: []string{
			"acme.yaml:2: auth.jwt: is not available in this build: use auth.static on a loopback address, or a Go program with an auth.Verifier of its own",
			"acme.yaml:3: auth.introspection: is not available in this build: use auth.static on a loopback address, or a Go program with an auth.Verifier of its own",
		},
	},
	{
		name: "static tokens",
		in: `auth:
  static:
    - {subject: a}
    - {token: "", subject: "", tenant: ""}
    - {token: hunter2, subject: b, tenant: 1, tenants: [2]}
    - {token: hunter2, subject: b, tenants: []}
    - {token: 5, subject: c, tenant: 1.5, scopes: orders:read}
    - {token: d, subject: d, tenants: [1, 1, 010, 0x1, 2020-01-01, true], scopes: [a, a, ""]}
    - {token:hunter2, subject: e, tenant: 1}
    - hunter2
    - {tokn: hunter2, subject: f, tenant: 1}
    - {hunter2: , hunter2: , token: g, subject: g, tenant: 1}
` + tail,
		want: []string{
			"acme.yaml:3: auth.static.token: is required: the text a caller sends",
			"acme.yaml:3: auth.static.tenant: is required: the tenant whose rows the caller reads, or tenants for several",
			"acme.yaml:4: auth.static.token: is empty",
			"acme.yaml:4: auth.static.subject: is empty",
			"acme.yaml:4: auth.static.tenant: is empty",
			"acme.yaml:5: auth.static.tenants: tenant and tenants exclude each other: write tenants for a caller of several",
			"acme.yaml:6: auth.static.tenants: is an empty list: a caller has at least one tenant",
			"acme.yaml:6: auth.static: the same token as on line 5",
			"acme.yaml:7: auth.static.token: write text (in quotes, if it looks like a number or a date); this is a number",
			"acme.yaml:7: auth.static.tenant: a tenant as a number is a whole number in plain digits: put any other in quotes",
			"acme.yaml:7: auth.static.scopes: write a list; this is text",
			"acme.yaml:8: auth.static.tenants: the same tenant twice",
			"acme.yaml:8: auth.static.tenants: a tenant as a number is a whole number in plain digits: put any other in quotes",
			"acme.yaml:8: auth.static.tenants: a tenant as a number is a whole number in plain digits: put any other in quotes",
			"acme.yaml:8: auth.static.tenants: a tenant as a number is a whole number in plain digits: put any other in quotes",
			"acme.yaml:8: auth.static.tenants: write a tenant as a whole number or text; this is true or false",
			`acme.yaml:8: auth.static.scopes: "a" is named twice`,
			"acme.yaml:8: auth.static.scopes: is empty",
			"acme.yaml:9: auth.static: unknown key: write one of token, subject, tenant, tenants, scopes; a text with a comma needs quotes inside { }",
			"acme.yaml:9: auth.static.token: is required: the text a caller sends",
			"acme.yaml:10: auth.static: write a mapping; this is text",
			"acme.yaml:11: auth.static: unknown key: did you mean token?",
			"acme.yaml:11: auth.static.token: is required: the text a caller sends",
			"acme.yaml:12: auth.static: the key is written twice, first on line 12",
			"acme.yaml:12: auth.static: unknown key: write one of token, subject, tenant, tenants, scopes; a text with a comma needs quotes inside { }",
		},
	},
	{
		name: "static as a mapping",
		in: `auth: {static: {hunter2: alice}}
` + tail,
		want: []string{
			"acme.yaml:1: auth.static: write a list; this is a mapping",
		},
	},
	{
		name: "cursor keys",
		in: `cursor_keys:
  - short
  - "${SHORT}"
  - 0123456789012345
  - "0123456789012345"
  - "0123456789012345"
` + tail,
		want: []string{
			"acme.yaml:2: cursor_keys: a key has at least 16 bytes: make one with openssl rand -base64 32",
			"acme.yaml:3: cursor_keys: a key has at least 16 bytes: make one with openssl rand -base64 32",
			"acme.yaml:4: cursor_keys: write text (in quotes, if it looks like a number or a date); this is a number",
			"acme.yaml:6: cursor_keys: the same key as on line 5",
		},
	},
	{
		name: "no cursor keys",
		in: `cursor_keys: []
` + tail,
		want: []string{
			"acme.yaml:1: cursor_keys: is an empty list: write a key, or leave cursor_keys out for a random one",
		},
	},
	{
		name: "an empty resource",
		in: `resources:
  orders:
  customers: {}
  lines: orders
`,
		want: []string{
			"acme.yaml:2: resources.orders: is empty: write a mapping, or leave the key out",
			"acme.yaml:3: resources.customers.table: is required: the table or view, orders or sales.orders",
			"acme.yaml:3: resources.customers.scope: is required: it says which rows belong to a tenant, such as {column: tenant_id}",
			"acme.yaml:3: resources.customers.fields: is required: the public names in output order; an empty one is the column of that name",
			"acme.yaml:4: resources.lines: write a mapping; this is text",
		},
	},
	{
		name: "resource names",
		in: `resources:
  any: {table: a, scope: {column: t}, fields: {id: }}
  "a.b": {table: a, scope: {column: t}, fields: {id: }}
`,
		want: []string{
			`acme.yaml:2: resources.any: "any" is a word of the contract and cannot be a public name`,
			`acme.yaml:3: resources.a.b: "a.b": a public name has no dot or comma`,
		},
	},
	{
		name: "resource keys",
		in: `resources:
  orders:
    tabel: orders
    scop: {column: t}
    feilds: {id: }
`,
		want: []string{
			"acme.yaml:2: resources.orders.table: is required: the table or view, orders or sales.orders",
			"acme.yaml:2: resources.orders.scope: is required: it says which rows belong to a tenant, such as {column: tenant_id}",
			"acme.yaml:2: resources.orders.fields: is required: the public names in output order; an empty one is the column of that name",
			`acme.yaml:3: resources.orders: unknown key "tabel": did you mean table?`,
			`acme.yaml:4: resources.orders: unknown key "scop": did you mean scope?`,
			`acme.yaml:5: resources.orders: unknown key "feilds": did you mean fields?`,
		},
	},
	{
		name: "resource head",
		in: `resources:
  orders:
    table: .orders
    key: [id, id, ""]
    narrow: {}
    internal: 1
    scope: {column: ""}
    description: 5
    note: [a]
    requires:
    fields: {}
    updated_at: ""
    limits: {default: 20, max: 10, min: 1}
`,
		want: []string{
			`acme.yaml:3: resources.orders.table: ".orders" is not a table: write orders or sales.orders`,
			`acme.yaml:4: resources.orders.key: "id" is named twice`,
			"acme.yaml:4: resources.orders.key: is empty",
			"acme.yaml:5: resources.orders.narrow: is empty: write a condition such as {deleted_at: null}, or leave the key out",
			"acme.yaml:6: resources.orders.internal: write true or false; this is a number",
			"acme.yaml:7: resources.orders.scope.column: is empty",
			"acme.yaml:8: resources.orders.description: write text (in quotes, if it looks like a number or a date); this is a number",
			"acme.yaml:9: resources.orders.note: write text (in quotes, if it looks like a number or a date); this is a list",
			"acme.yaml:10: resources.orders.requires: is empty: write text (in quotes, if it looks like a number or a date), or leave the key out",
			"acme.yaml:11: resources.orders.fields: is empty: a resource shows at least one field",
			"acme.yaml:12: resources.orders.updated_at: is empty",
			`acme.yaml:13: resources.orders.limits: unknown key "min": did you mean max?`,
			"acme.yaml:13: resources.orders.limits.default: the default of 20 rows is above the maximum of 10",
		},
	},
	{
		name: "scope",
		in: `resources:
  a: {table: a, scope: {}, fields: {id: }}
  b: {table: b, scope: {column: t, via: a}, fields: {id: }}
  c: {table: c, scope: {column: t, fk: x}, fields: {id: }}
  d: {table: d, scope: {via: aa}, fields: {id: }}
  e: {table: e, scope: {any: [{column: t}]}, fields: {id: }}
  f: {table: f, scope: {any: [{column: t}, {colum: t}]}, fields: {id: }}
  g: {table: g, scope: {shared: {column: t}, reason: " "}, fields: {id: }}
  h: {table: h, scope: tenant_id, fields: {id: }}
  i: {table: i, global: {reason: " "}, fields: {id: }}
  k: {table: k, global: {}, fields: {id: }}
  l: {table: l, global: {reason: "Countries."}, scope: {column: t}, fields: {id: }}
  m: {table: m, global: true, fields: {id: }}
  n: {table: n, global: {reason: "Countries.", column: t}, fields: {id: }}
  j: {table: j, scope: {shared: t, flag: f, reason: r}, fields: {id: }}
`,
		want: []string{
			"acme.yaml:2: resources.a.scope: needs one of column, via, any, shared",
			"acme.yaml:3: resources.b.scope: has column and via, which exclude each other",
			"acme.yaml:4: resources.c.scope.fk: does not go with column",
			"acme.yaml:5: resources.d.scope.fk: is required: the column here that holds the parent's key, or a list in key order",
			`acme.yaml:5: resources.d.scope.via: "aa" is not a resource of this file: did you mean a or b or c?`,
			"acme.yaml:6: resources.e.scope.any: needs a list of at least two scopes",
			`acme.yaml:7: resources.f.scope.any: unknown key "colum": did you mean column?`,
			"acme.yaml:8: resources.g.scope.flag: is required: the boolean column that is true for rows every tenant may read",
			"acme.yaml:8: resources.g.scope.reason: is blank",
			"acme.yaml:9: resources.h.scope: write a mapping; this is text",
			"acme.yaml:10: resources.i.global.reason: is blank",
			"acme.yaml:11: resources.k.global.reason: is required: why every tenant may read every row, for the audit",
			"acme.yaml:12: resources.l.scope: a resource has a scope or is global: take one of them out",
			"acme.yaml:13: resources.m.global: write a mapping; this is true or false",
			`acme.yaml:14: resources.n.global: unknown key "column": write one of reason`,
			"acme.yaml:15: resources.j.scope.shared: write a mapping; this is text",
		},
	},
	{
		name: "fields",
		in: `resources:
  orders:
    table: orders
    scope: {column: t}
    fields:
      id: id
      total: {colum: total, requires: 5}
      country: {description: Two letters, as in ISO 3166.}
      links:
      "a,b":
      total:
      state: {column: }
`,
		want: []string{
			"acme.yaml:6: resources.orders.fields.id: write a mapping; this is text",
			`acme.yaml:7: resources.orders.fields.total: unknown key "colum": did you mean column?`,
			"acme.yaml:7: resources.orders.fields.total.requires: write text (in quotes, if it looks like a number or a date); this is a number",
			`acme.yaml:8: resources.orders.fields.country: unknown key "as…": write one of column, requires, description; a text with a comma needs quotes inside { }`,
			`acme.yaml:9: resources.orders.fields.links: "links" is a word of the contract and cannot be a public name`,
			`acme.yaml:10: resources.orders.fields.a,b: "a,b": a public name has no dot or comma`,
			`acme.yaml:11: resources.orders.fields: the key "total" is written twice, first on line 7`,
			"acme.yaml:12: resources.orders.fields.state.column: is empty: write text (in quotes, if it looks like a number or a date), or leave the key out",
		},
	},
	{
		name: "filterable and its friends",
		in: `resources:
  orders:
    table: orders
    scope: {column: t}
    fields: {id: , state: , total: }
    filterable: [id, id, "a.b", "", [x]]
    sortable: [stat, id, id, secret_column]
    companions: {idd: state, id: id, total: state}
  lines:
    table: lines
    scope: {column: t}
    fields: {id: }
    filterable: {order: , not: id, id: [id]}
    sortable: id
    companions: {id: order}
  tags:
    table: tags
    scope: {column: t}
    fields: {id: }
    filterable: id
  more:
    table: more
    scope: {column: t}
    fields: {id: }
    filterable: ["${DOTTED}"]
    sortable: ["${SECRET}"]
`,
		want: []string{
			`acme.yaml:6: resources.orders.filterable: "id" is named twice`,
			"acme.yaml:6: resources.orders.filterable: is empty",
			"acme.yaml:6: resources.orders.filterable: write text (in quotes, if it looks like a number or a date); this is a list",
			`acme.yaml:6: resources.orders.filterable: "a.b" cannot be a public name: write a mapping of a filter key to it`,
			`acme.yaml:7: resources.orders.sortable: "id" is named twice`,
			`acme.yaml:7: resources.orders.sortable: "stat" is not a field: did you mean state?`,
			`acme.yaml:7: resources.orders.sortable: "secret_column" is not a field: write one of id, state, total`,
			`acme.yaml:8: resources.orders.companions.idd: "idd" is not in filterable: did you mean id?`,
			"acme.yaml:8: resources.orders.companions.id: a key cannot be its own companion",
			`acme.yaml:8: resources.orders.companions.total: "total" is not in filterable: write one of id`,
			"acme.yaml:13: resources.lines.filterable.order: is empty: write text (in quotes, if it looks like a number or a date), or leave the key out",
			`acme.yaml:13: resources.lines.filterable.not: "not" is a word of the contract and cannot be a public name`,
			"acme.yaml:13: resources.lines.filterable.id: write text (in quotes, if it looks like a number or a date); this is a list",
			"acme.yaml:14: resources.lines.sortable: write a list; this is text",
			`acme.yaml:15: resources.lines.companions.id: "id" is not in filterable: there is none to name`,
			"acme.yaml:20: resources.tags.filterable: write a list of names, or a mapping of filter keys to names; this is text",
			"acme.yaml:25: resources.more.filterable: the variable's value cannot be a public name: write a mapping of a filter key to it",
			"acme.yaml:26: resources.more.sortable: the variable's value is not a field: write one of id",
		},
	},
	{
		name: "aggregates",
		in: `resources:
  orders:
    table: orders
    scope: {column: t}
    fields: {id: , count: , "a:day": , total: }
    groupable: [idd, id, id, count, "a:day"]
    measures: [totl, count, "a:day", total, total]
    measure: [total]
  lines:
    table: lines
    scope: {column: t}
    fields: {id: }
    groupable: id
    measures: {id: [sum]}
`,
		want: []string{
			`acme.yaml:6: resources.orders.groupable: "id" is named twice`,
			`acme.yaml:6: resources.orders.groupable: "idd" is not a field: did you mean id?`,
			`acme.yaml:6: resources.orders.groupable: "count" could be taken for a measure: a groupable field has no colon and is not named count, count_distinct, sum, avg, min, max`,
			`acme.yaml:6: resources.orders.groupable: "a:day" could be taken for a measure: a groupable field has no colon and is not named count, count_distinct, sum, avg, min, max`,
			`acme.yaml:7: resources.orders.measures: "total" is named twice`,
			`acme.yaml:7: resources.orders.measures: "totl" is not a field: did you mean total?`,
			`acme.yaml:8: resources.orders: unknown key "measure": did you mean measures?`,
			"acme.yaml:13: resources.lines.groupable: write a list; this is text",
			"acme.yaml:14: resources.lines.measures: write a list; this is a mapping",
		},
	},
	{
		name: "relations",
		in: `resources:
  orders:
    table: orders
    scope: {column: t}
    fields: {id: , customer: }
    relations:
      customer: {to: customers, fk: c}
      a: {to: order, fk: c}
      b: {to: orders}
      c: {to: orders, fk: c, their_fk: d}
      d: {to: orders, fk: c, one: true}
      e: {to: orders, through: t, fk: c, one: true}
      f: {polymorphic: {type: t}, fk: c}
      g: {polymorphic: {type: t, id: i}, to: orders}
      h: {fk: c}
      i: {}
      j: orders
      k: {to: orders, their_fk: [], fk: }
      m: {to: orders, their_fk: []}
      included: {to: orders, fk: c}
      l: {to: 5, fk: c, onee: true}
`,
		want: []string{
			"acme.yaml:7: resources.orders.relations.customer: a field has the same name; fields and relations share one namespace",
			`acme.yaml:7: resources.orders.relations.customer.to: "customers" is not a resource of this file: write one of orders`,
			`acme.yaml:8: resources.orders.relations.a.to: "order" is not a resource of this file: did you mean orders?`,
			"acme.yaml:9: resources.orders.relations.b: needs fk (the key is here), their_fk (the key is there) or through (a join table)",
			"acme.yaml:10: resources.orders.relations.c: fk is for a key here and their_fk for a key there: write one of them, or through: for a join table",
			"acme.yaml:11: resources.orders.relations.d.one: goes with their_fk: a relation with fk leads to one row by itself",
			"acme.yaml:12: resources.orders.relations.e.one: does not go with through",
			"acme.yaml:12: resources.orders.relations.e.their_fk: is required: the columns of the join table that hold the other resource's key",
			"acme.yaml:13: resources.orders.relations.f.fk: does not go with polymorphic",
			"acme.yaml:13: resources.orders.relations.f.polymorphic.id: is required: the column that holds the key of the row it leads to",
			"acme.yaml:14: resources.orders.relations.g: has to and polymorphic, which exclude each other",
			"acme.yaml:15: resources.orders.relations.h: needs one of to, polymorphic",
			"acme.yaml:16: resources.orders.relations.i: needs one of to, polymorphic",
			"acme.yaml:17: resources.orders.relations.j: write a mapping; this is text",
			"acme.yaml:18: resources.orders.relations.k: fk is for a key here and their_fk for a key there: write one of them, or through: for a join table",
			"acme.yaml:19: resources.orders.relations.m.their_fk: is an empty list: write a name",
			`acme.yaml:20: resources.orders.relations.included: "included" is a word of the contract and cannot be a public name`,
			`acme.yaml:21: resources.orders.relations.l: unknown key "onee": did you mean one?`,
			"acme.yaml:21: resources.orders.relations.l.to: write text (in quotes, if it looks like a number or a date); this is a number",
		},
	},
	{
		name: "narrow",
		in: `resources:
  orders:
    table: orders
    scope: {column: t}
    fields: {id: }
    narrow:
      a: .inf
      b: 0x10
      c: {op: eq, value: {}}
      c: 1
      "${X}": 1
      d: ${NOT_SET}
      5: five
`,
		want: []string{
			"acme.yaml:7: resources.orders.narrow.a: write a number in JSON's syntax, or put the text in quotes",
			"acme.yaml:8: resources.orders.narrow.b: write a number in JSON's syntax, or put the text in quotes",
			"acme.yaml:9: resources.orders.narrow.c.value: is empty: write a condition such as {deleted_at: null}, or leave the key out",
			`acme.yaml:10: resources.orders.narrow: the key "c" is written twice, first on line 9`,
			"acme.yaml:11: resources.orders.narrow: a key is never expanded: write the name itself",
			"acme.yaml:12: the environment variable NOT_SET is not set",
			"acme.yaml:13: resources.orders.narrow: a key is text: put a key that looks like a number in quotes",
		},
	},
}
