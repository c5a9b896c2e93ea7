package resource

// CheckName says why name cannot be the public name of a resource, field, filter key or relation; nil
// when it can. New applies it to every name of a Spec; it is for readers that know where a name stands.
func CheckName(name string) error { return checkName(name) }
