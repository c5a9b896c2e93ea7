package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/tenantry/tenantry/mcpserver"
)

// version prints the versions of the program, of Go and of the protocol.
func version(_ context.Context, t *terminal, f *flags) error {
	if err := f.parse(t, 0, 0); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.out, "tenantry %s\n%s\nMCP %s\n", buildVersion(), runtime.Version(), strings.Join(mcpserver.ProtocolVersions(), ", "))
	return err
}

// buildVersion is the version of the module this program was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
