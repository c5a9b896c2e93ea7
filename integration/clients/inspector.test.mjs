// The MCP Inspector's command line, in the handshake of either era: each call is a process and a connection of its own.
import assert from 'node:assert/strict';
import { check } from './check.mjs';
import { inspect, ok, signIn, toolError } from './inspect.mjs';
import { overHTTP, overStdio } from './world.mjs';

// client returns the function that calls a tool and gives its exit code and answer.
function client(world, tenant, era) {
	return async (tool, args) => {
		const method = ['--method', 'tools/call', '--tool-name', world.prefix + tool];
		const call = await inspect(world, tenant.token, era, [...method, '--tool-args-json', JSON.stringify(args)]);
		assert.deepEqual(JSON.parse(call.result.content[0].text), call.result.structuredContent);
		return { code: call.code, answer: call.result.structuredContent, text: call.result.content[0].text };
	};
}

const keys = (rows) => rows.map((row) => String(row.id));
const [north, south] = overHTTP.tenants;
const { resource } = overHTTP;

for (const [world, era] of [[overHTTP, 'modern'], [overStdio, 'legacy']]) {
	check(`Inspector, ${world.title}, ${era}: finds no error in the schemas`, async () => {
		const { code, result, stderr } = await inspect(world, north.token, era, ['--method', 'tools/list', '--strict']);
		assert.equal(code, ok, stderr);
		assert.equal(result.tools.length, 4);
		// A member of several types has no type, which every client accepts and the linter remarks upon.
		const remarks = stderr.split('\n').filter((line) => /^ *Issue: (?!Schema carries no validation keyword)/.test(line));
		assert.deepEqual(remarks, []);
	});
}

for (const world of [overHTTP, overStdio]) {
	for (const era of ['legacy', 'modern']) {
		check(`Inspector, ${world.title}, ${era}: lists rows of its own tenant only`, async () => {
			const call = client(world, south, era);
			const own = south.ids.at(-1);
			const { code, answer } = await call('list', { resource, filter: { id: [north.ids.at(-1), own] } });
			assert.equal(code, ok);
			assert.deepEqual(answer.rows, [{ id: own, amount: own, memo: `south ${own}`, links: { account: 20 } }]);
		});
	}
}

check('Inspector: pages to the end', async () => {
	const call = client(overHTTP, north, 'modern');
	const first = await call('list', { resource, limit: 40, sort: ['-id'] });
	const cursor = first.answer.meta.next_cursor;
	const last = await call('list', { resource, limit: 40, sort: ['-id'], cursor });
	assert.equal(last.answer.meta.has_more, false);
	assert.deepEqual(keys([...first.answer.rows, ...last.answer.rows]), north.ids.toReversed());
});

check('Inspector: is refused a row of the other tenant as one that never was', async () => {
	const call = client(overHTTP, north, 'modern');
	const refused = async (id) => {
		const { code, text } = await call('get', { resource, id });
		assert.equal(code, toolError);
		return text.replaceAll(id, 'ID');
	};
	const foreign = await refused(south.ids.at(-1));
	assert.match(foreign, /"code":"not_found"/);
	assert.equal(foreign, await refused(overHTTP.absent));
});

for (const [world, era] of [[overHTTP, 'modern'], [overStdio, 'legacy']]) {
	check(`Inspector, ${world.title}, ${era}: lists and reads by URI`, async () => {
		const ask = async (...method) => (await inspect(world, south.token, era, ['--method', ...method])).result;
		const { resources } = await ask('resources/list');
		assert.deepEqual(resources.map((one) => one.uri).sort(), ['tenantry://accounts', 'tenantry://entries']);
		const { resourceTemplates } = await ask('resources/templates/list');
		assert.deepEqual(resourceTemplates.map((one) => one.uriTemplate), ['tenantry://{resource}/{id}']);
		const own = south.ids.at(-1);
		const { contents } = await ask('resources/read', '--uri', `tenantry://entries/${own}`);
		assert.equal(JSON.parse(contents[0].text).row.id, own);
		const schema = await ask('resources/read', '--uri', 'tenantry://entries');
		assert.match(schema.contents[0].text, /^# entries\n\nWhat was booked\.\n/);
	});
}

check('Inspector: is told of a mistake', async () => {
	const { code, answer } = await client(overHTTP, north, 'legacy')('list', { resource, sort: ['amuont'] });
	assert.equal(code, toolError);
	const { error } = answer;
	assert.deepEqual([error.code, error.path, error.suggestions], ['unknown_field', '/sort/0', ['amount']]);
});

for (const era of ['legacy', 'modern']) {
	check(`Inspector, ${era}: is refused with a bad token`, async () => {
		const { code, stderr } = await inspect(overHTTP, 'wrong', era, ['--method', 'tools/list']);
		assert.equal(code, signIn);
		assert.equal(JSON.parse(stderr).error.code, 'auth_required');
	});
}
