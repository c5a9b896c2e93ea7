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
export async function good(result) {
	const { isError, structuredContent } = await result;
	assert.ok(!isError, JSON.stringify(structuredContent));
	return structuredContent;
}

export async function bad(result) {
	const { isError, structuredContent } = await result;
	assert.equal(isError, true, JSON.stringify(structuredContent));
	assert.deepEqual(Object.keys(structuredContent).filter((name) => name !== 'errors'), ['error']);
	return structuredContent.error;
}

const keys = (rows) => rows.map((row) => String(row.id));

// beyondOneTable is what one tenant sees in a world whose rows have a field to group by and a relation.
function beyondOneTable(world, tenant, list, call) {
	const { resource } = world;

	check('groups, and the groups are the rows that a filter finds', async () => {
		const field = world.grouped;
		const { groups } = await good(call('aggregate', { resource, group_by: [field], measures: ['count'] }));
		assert.equal(groups.reduce((sum, group) => sum + group.count, 0), tenant.ids.length);
		for (const group of groups) {
			const { meta } = await list({ filter: { [field]: group[field] }, limit: 0, count: 'exact' });
			assert.equal(meta.total_count, group.count);
		}
	});

	check('includes a related row as it is by itself', async () => {
		const name = world.related;
		const [row] = (await list({ limit: 1, include: [name] })).rows;
		const embedded = row.included[name];
		assert.equal(embedded.id, row.links[name]);
		const { target } = (await good(call('resource_schema', { resource }))).relationships.find((one) => one.name === name);
		const { row: itself } = await good(call('get', { resource: target, id: row.links[name] }));
		for (const [key, value] of Object.entries(embedded)) {
			assert.deepEqual(itself[key], value, key);
		}
	});
}

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
		const names = ['get', 'list', 'resource_schema', 'resources', ...(world.grouped ? ['aggregate'] : [])];
		assert.deepEqual(tools.map((tool) => tool.name).sort(), names.map((name) => world.prefix + name).sort());
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

	if (world.grouped) {
		beyondOneTable(world, tenant, list, (...args) => call(...args));
	}

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

	check('reads a row and the schemas by their URIs', () => byURI(world, tenant, client, call));

	check('reads nothing of the other tenant by its URI', async () => {
		const refused = async (id) => {
			const error = await rejection(client.readResource({ uri: rowURI(resource, id) }));
			assert.equal(error.code, expected.notFound);
			const { uri, ...data } = error.data;
			assert.equal(uri, rowURI(resource, id));
			return [error.message.replace(`"${id}"`, 'ID'), data];
		};
		const foreign = await refused(tenant.foreign[0]);
		assert.deepEqual(foreign, await refused(world.absent));
		assert.deepEqual(foreign[1], { code: 'not_found' });
	});

	if (world.hidden) {
		check('is told of a hidden resource what it is told of none', async () => {
			for (const id of ['', '/10', '/x']) {
				const refused = async (name) => {
					const { code, message, data } = await rejection(client.readResource({ uri: `tenantry://${name}${id}` }));
					return JSON.stringify([code, message, data]).replaceAll(name, 'NAME');
				};
				const hidden = await refused(world.hidden);
				assert.match(hidden, /"code":"unknown_resource"/);
				assert.equal(hidden, await refused('nothing'));
			}
		});
	}

	check('completes the name of a resource', async () => {
		const ref = { type: 'ref/resource', uri: template };
		const complete = (name, value) => client.complete({ ref, argument: { name, value } });
		for (const typed of ['', resource.slice(0, 3), resource, 'none']) {
			const { completion } = await complete('resource', typed);
			assert.deepEqual(completion.values.sort(), world.resources.filter((name) => name.startsWith(typed)));
		}
		assert.deepEqual((await complete('id', '')).completion.values, []);
		await assert.rejects(client.complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' } }), {
			code: -32602,
		});
	});

	check('is refused an unknown tool', async () => {
		await assert.rejects(client.callTool({ name: 'drop_everything', arguments: {} }), { code: -32602 });
	});

	if (world.large) {
		check('keeps large numbers exact', () => largeNumbers(tenant, call, list));
	}
}

const template = 'tenantry://{resource}/{id}';

const rowURI = (resource, id) => `tenantry://${encodeURIComponent(resource)}/${encodeURIComponent(id)}`;

// byURI reads what the protocol calls resources: the schemas, which are listed, and rows, which have a template.
async function byURI(world, tenant, client, call) {
	const { resourceTemplates } = await client.listResourceTemplates();
	assert.deepEqual(resourceTemplates.map((t) => [t.uriTemplate, t.mimeType]), [[template, 'application/json']]);
	const { resources } = await client.listResources();
	assert.deepEqual(resources.map((r) => r.name).sort(), world.resources);
	for (const { uri, name, mimeType } of resources) {
		const { contents } = await client.readResource({ uri });
		assert.deepEqual(contents.map((one) => [one.uri, one.mimeType]), [[uri, mimeType]]);
		assert.ok(contents[0].text.startsWith(`# ${name}\n`), contents[0].text);
	}
	const { resource } = world;
	for (const id of [tenant.ids[0], tenant.ids.at(-1)]) {
		const { contents } = await client.readResource({ uri: rowURI(resource, id) });
		assert.equal(contents[0].mimeType, 'application/json');
		assert.equal(contents[0].text, (await call('get', { resource, id })).content[0].text);
	}
}

// rejection is the error of a promise that has to fail.
export async function rejection(promise) {
	let value;
	try {
		value = await promise;
	} catch (error) {
		return error;
	}
	return assert.fail(`answered with ${JSON.stringify(value)}`);
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

	check('takes the tenant of a reading from its _meta', async () => {
		const client = await connect(world, world.both);
		try {
			const uri = rowURI(world.resource, world.tenants[1].ids[0]);
			const read = (chosen) => client.readResource({ uri, _meta: { 'tenantry/tenant': chosen } });
			assert.equal((await rejection(client.readResource({ uri }))).data.code, 'forbidden');
			assert.equal((await rejection(read('1'))).data.code, 'not_found');
			assert.equal(JSON.parse((await read('2')).contents[0].text).resource, world.resource);
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
