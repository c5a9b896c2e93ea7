// The MCP Inspector's linter on what a host's typed tools look like to two callers, and the framework's tools beside them.
import assert from 'node:assert/strict';
import { check } from './check.mjs';
import { inspect, ok } from './inspect.mjs';
import { deskOverHTTP, deskOverStdio } from './world.mjs';

// What the linter has to remark upon in the typed tools, and no client refuses: any value at all, and scalars that may be null.
const anything = /^(inputSchema|outputSchema)\.properties\.(free|raw)$/;
const remarks = {
	scalars: { 'untyped-schema': anything },
	amend: { 'type-union': /^(inputSchema|outputSchema)\.properties\.(title|note|until|owner|status)$/ },
	balance: { 'type-union': /^outputSchema\.properties\.entries\.items\.properties\.memo$/ },
	refund: { 'type-union': /^outputSchema\.properties\.form\.anyOf\[0\]\.properties\.mail$/ },
};

const framework = ['aggregate', 'get', 'list', 'resource_schema', 'resources'];

for (const [world, era, who, count] of [[deskOverHTTP, 'modern', 'clerk', 11], [deskOverStdio, 'legacy', 'chief', 13]]) {
	check(`Inspector, ${world.title}, ${era}: finds no error in the schemas of the ${who}`, async () => {
		const { code, result, findings, stderr } = await inspect(world, world[who], era, ['--method', 'tools/list', '--strict']);
		assert.equal(code, ok, stderr);
		assert.equal(result.tools.length, count);
		assert.ok(findings.some((one) => one.toolName === `${world.prefix}scalars`), 'the linter found nothing at all');
		for (const { toolName, findings: found } of findings) {
			const name = toolName.replace(world.prefix, '');
			const known = framework.includes(name) ? { 'untyped-schema': /^outputSchema\./ } : remarks[name];
			const odd = found.filter((one) => !known?.[one.rule]?.test(`${one.schema}.${one.path}`));
			assert.deepEqual(odd, [], toolName);
		}
	});
}
