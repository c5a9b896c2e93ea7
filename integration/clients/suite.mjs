// What every client has to see of the server, whatever library it uses. connect(world, token, headers) returns a
// connected client of a TypeScript SDK; expected has what the two SDKs do differently.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { check } from './check.mjs';
import { worlds } from './world.mjs';

export function suite(name, connect, expected) {
	for (const world of worlds) {
		describe(`${name}, ${world.title}`, () => {
			for (const [n, tenant] of world.tenants.entries()) {
				describe(`tenant ${n + 1}`, () => session(world, tenant, connect, expected));
			}
			strangers(world, connect, expected);
			if (world.both) {
				severalTenants(world, connect);
			}
		});
	}
}

// caller calls the tools of a world over a client. An answer is checked to be the same in both its forms.
export function caller(world, client) {
	return async (tool, args, more) => {
		const result = await client.callTool({ name: world.prefix + tool, arguments: args, ...more });
		assert.equal(result.content.length, 1);
		assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
		return result;
	};
}

// good returns the answer of a call that has to succeed, and bad the mistake of one that must not.
async function good(result) {
	const { isError, structuredContent } = await result;
	assert.ok(!isError, JSON.stringify(structuredContent));
	return structuredContent;
}

async function bad(result) {
	const { isError, structuredContent } = await result;
	assert.equal(isError, true, JSON.stringify(structuredContent));
	assert.deepEqual(Object.keys(structuredContent).filter((name) => name !== 'errors'), ['error']);
	return structuredContent.error;
}

const keys = (rows) => rows.map((row) => String(row.id));

// session is what one tenant does with one connection.
function session(world, tenant, connect, expected) {
	let client, call;
	before(async () => {
		client = await connect(world, tenant.token);
		call = caller(world, client);
	});
	after(() => client?.close());

	const { resource } = world;
	const list = (args) => good(call('list', { resource, ...args }));

	check('negotiates', () => {
		assert.equal(expected.version(client), expected.revision);
		assert.ok(client.getServerVersion().name);
	});

	check('lists the tools', async () => {
		const { tools } = await client.listTools();
		const names = ['get', 'list', 'resource_schema', 'resources'].map((name) => world.prefix + name);
		assert.deepEqual(tools.map((tool) => tool.name).sort(), names);
		for (const tool of tools) {
			assert.equal(tool.annotations.readOnlyHint, true, tool.name);
			assert.equal(tool.inputSchema.type, 'object', tool.name);
			assert.equal(tool.outputSchema.type, 'object', tool.name);
		}
	});

	check('reads the catalogue, and every example in it succeeds', async () => {
		const { resources } = await good(call('resources', {}));
		assert.deepEqual(resources.map((r) => r.name).sort(), world.resources);
		for (const { name } of resources) {
			const schema = await good(call('resource_schema', { resource: name }));
			assert.equal(schema.name, name);
			assert.ok(schema.examples.length > 0, name);
			for (const example of schema.examples) {
				await good(call('list', example));
			}
		}
	});

	check('gets a row as a listing shows it', async () => {
		const { rows, meta } = await list({ limit: 3, count: 'exact' });
		assert.deepEqual(keys(rows), tenant.ids.slice(0, 3));
		assert.equal(meta.total_count, tenant.ids.length);
		for (const row of rows) {
			assert.deepEqual((await good(call('get', { resource, id: String(row.id) }))).row, row);
		}
		const { row } = await good(call('get', { resource, id: rows[0].id, fields: ['id'] }));
		assert.deepEqual(row, { id: rows[0].id });
	});

	check('filters', async () => {
		const some = [tenant.ids[1], tenant.ids[4]];
		assert.deepEqual(keys((await list({ filter: { id: some } })).rows), some);
		assert.deepEqual(keys((await list({ ids: some })).rows), some);
		const one = await list({ filter: { id: { op: 'in', value: some }, not: { id: some[0] } } });
		assert.deepEqual(keys(one.rows), [some[1]]);
		const { meta } = await list({ filter: { id: { op: 'not_eq', value: some[0] } }, limit: 0, count: 'exact' });
		assert.equal(meta.total_count, tenant.ids.length - 1);
	});

	check('pages to the end, forth and back, every row once', async () => {
		const limit = Math.ceil(tenant.ids.length / 7);
		assert.deepEqual(await pages(list, { limit }), tenant.ids);
		assert.deepEqual(await pages(list, { limit, sort: ['-id'], fields: ['id'] }), tenant.ids.toReversed());
	});

	check('sees nothing of the other tenant', async () => {
		const own = tenant.ids[0];
		for (const foreign of [tenant.foreign[0], tenant.foreign.at(-1)]) {
			const { rows } = await list({ filter: { id: [foreign, own] } });
			assert.deepEqual(keys(rows), [own]);
			assert.deepEqual(keys((await list({ ids: [foreign, own] })).rows), [own]);
			assert.deepEqual((await list({ ids: [foreign] })).rows, []);
			const refused = await refusal(call, resource, foreign);
			assert.equal(refused, await refusal(call, resource, world.absent));
			assert.match(refused, /"code":"not_found"/);
		}
	});

	check('cannot go on with a cursor of the other tenant', async () => {
		const theirs = await connect(world, world.tenants.find((one) => one !== tenant).token);
		try {
			const { meta } = await good(caller(world, theirs)('list', { resource, limit: 1 }));
			const error = await bad(call('list', { resource, limit: 1, cursor: meta.next_cursor }));
			assert.equal(error.code, 'invalid_cursor');
			assert.deepEqual(error, await bad(call('list', { resource, limit: 1, cursor: 'AAAA' })));
		} finally {
			await theirs.close();
		}
	});

	check('is told of every mistake in the arguments', async () => {
		const { isError, structuredContent } = await call('list', { resource, limit: -1, sort: ['-ix'], filtr: {} });
		assert.equal(isError, true);
		const { error, errors } = structuredContent;
		assert.deepEqual(errors.map((e) => e.code).sort(), ['invalid_argument', 'unknown_argument', 'unknown_field']);
		assert.deepEqual(error, errors[0]);
		const unknown = errors.find((e) => e.code === 'unknown_argument');
		assert.deepEqual([unknown.path, unknown.suggestions], ['/filtr', ['filter']]);
		assert.equal((await bad(call('resource_schema', { resource: 'secrets' }))).code, 'unknown_resource');
	});

	check('is refused an unknown tool', async () => {
		await assert.rejects(client.callTool({ name: 'drop_everything', arguments: {} }), { code: -32602 });
	});

	if (world.large) {
		check('keeps large numbers exact', () => largeNumbers(tenant, call, list));
	}
}

// refusal is the whole answer about a row that is not there, as text, without its id.
async function refusal(call, resource, id) {
	const result = await call('get', { resource, id });
	assert.equal(result.isError, true);
	return JSON.stringify(result).replaceAll(id, 'ID');
}

// pages follows cursors to the end.
async function pages(list, args) {
	const seen = [];
	let cursor;
	do {
		const { rows, meta } = await list({ ...args, cursor });
		assert.equal('next_cursor' in meta, meta.has_more);
		assert.equal(meta.returned, rows.length);
		seen.push(...keys(rows));
		cursor = meta.next_cursor;
		assert.ok(seen.length <= 2000, 'the pages do not end');
	} while (cursor);
	return seen;
}

async function largeNumbers(tenant, call, list) {
	const resource = 'entries';
	for (const id of tenant.ids.filter((id) => id.length > 10)) {
		const { row } = await good(call('get', { resource, id }));
		const shown = Number.isSafeInteger(Number(id)) ? Number(id) : id;
		assert.deepEqual([row.id, row.amount, row.memo.split(' ')[1]], [shown, shown, id]);
		assert.deepEqual(keys((await list({ filter: { amount: id } })).rows), [id]);
		const above = tenant.ids.filter((other) => BigInt(other) > BigInt(id));
		const { meta } = await list({ filter: { amount: { op: 'gt', value: id } }, limit: 0, count: 'exact' });
		assert.equal(meta.total_count, above.length, id);
	}
	for (const id of tenant.foreign.filter((id) => id.length > 10)) {
		assert.equal((await bad(call('get', { resource, id }))).code, 'not_found', id);
		assert.deepEqual((await list({ filter: { amount: id } })).rows, [], id);
	}
}

// strangers have no good token.
function strangers(world, connect, expected) {
	check('refuses a bad token', async () => {
		for (const token of ['wrong', world.tenants[0].token.toUpperCase()]) {
			const refused = world.url ? expected.unauthorized : expected.ended;
			await assert.rejects(connect(world, token), refused, token);
		}
	});
}

// severalTenants are those of a token that has to choose one for each call.
function severalTenants(world, connect) {
	const choices = [
		{ chosen: '1', ids: world.tenants[0].ids },
		{ chosen: '2', ids: world.tenants[1].ids },
	];

	check('takes the tenant of each call from its _meta', async () => {
		const client = await connect(world, world.both);
		try {
			const call = caller(world, client);
			const args = { resource: world.resource, limit: 2 };
			assert.equal((await bad(call('list', args))).code, 'forbidden');
			assert.equal((await bad(call('list', args, { _meta: { 'tenantry/tenant': '3' } }))).code, 'forbidden');
			for (const { chosen, ids } of choices) {
				const { rows } = await good(call('list', args, { _meta: { 'tenantry/tenant': chosen } }));
				assert.deepEqual(keys(rows), ids.slice(0, 2));
			}
		} finally {
			await client.close();
		}
	});

	if (world.url) {
		check('takes the tenant of a connection from a header', async () => {
			for (const { chosen, ids } of choices) {
				const client = await connect(world, world.both, { 'Tenantry-Tenant': chosen });
				try {
					const { rows } = await good(caller(world, client)('list', { resource: world.resource, limit: 2 }));
					assert.deepEqual(keys(rows), ids.slice(0, 2));
				} finally {
					await client.close();
				}
			}
		});
	}
}
