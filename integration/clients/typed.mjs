// What every client has to see of a host's typed tools: connect(world, token, headers, person) as in connect.mjs; expected
// says how the client's library calls a tool, in which worlds its person can be asked, and whether that takes rounds.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { check, received } from './check.mjs';
import { good, rejection } from './suite.mjs';
import { deskOverHTTP, deskOverStdio } from './world.mjs';

export function typed(name, connect, expected) {
	for (const world of [deskOverHTTP, deskOverStdio]) {
		describe(`${name}, ${world.title}`, () => {
			describe('one with few rights', () => caller(world, world.clerk, connect, expected, fewRights));
			describe('one with all rights', () => caller(world, world.chief, connect, expected, allRights));
			describe('a person', () => people(world, connect, expected));
		});
	}
}

const few = ['amend', 'balance', 'pay', 'recount', 'scalars', 'shapes'];
const all = [...few, 'audit', 'refund'].sort();

// progress is what the test that runs now has been told of how far a call is.
const isProgress = ({ method }) => method === 'notifications/progress';
const progress = () => received().filter(isProgress).map(({ params: { progressToken, ...one } }) => one);

// caller is what each caller sees, and then what this one does.
function caller(world, token, connect, expected, own) {
	let client, tools;
	before(async () => {
		client = await connect(world, token);
		({ tools } = await client.listTools()); // from here on it checks results by their schemas
	});
	after(() => client?.close());
	const call = (tool, args, options) => expected.callTool(client, { name: world.prefix + tool, arguments: args }, options);

	check('gets back every type of a single value', async () => assert.deepEqual(await good(call('scalars', scalars)), scalars));

	check('gets back every type that holds others', async () => assert.deepEqual(await good(call('shapes', shapes)), shapes));

	check('is told of all mistakes at once', async () => {
		const { host: _, ...bad } = { ...scalars, ...mistaken };
		const { errors } = await refused(call('scalars', bad));
		assert.deepEqual(errors.map((one) => one.path), [...Object.keys(mistaken), 'host'].map((key) => `/${key}`));
		const inside = await refused(call('shapes', { ...shapes, tags: ['a', 'a'], tree: { name: 'a', parts: [{ naem: 'b' }] } }));
		assert.deepEqual(inside.errors.map((one) => one.path), ['/tags', '/tree/parts/0/naem', '/tree/parts/0/name']);
		const depends = await refused(call('amend', { id: 'X', owner: null, city: 'x', floor: 1, currency: 'eur', limit: 0 }));
		assert.deepEqual(new Set(depends.errors.map((one) => one.path)), new Set(['/id', '/currency', '/limit', '/street']));
	});

	check('leaves members away, empties and sets them', async () => {
		const least = await good(call('amend', { id: 'T-1', owner: null }));
		assert.deepEqual([least.title, least.note, least.rank, least.currency, least.limit], [null, undefined, undefined, 'EUR', 10]);
		assert.deepEqual(least.meta, { reason: '', level: 0 });
		const options = { color: 'red', more: [1, { deep: null }] };
		const given = { title: 'a', note: null, rank: 3, until: 5, where: null, status: 'open', limit: 99, options };
		const more = await good(call('amend', { id: 'T-1', owner: 'ada', meta: { reason: 'why', level: 2 }, password: 'x', ...given }));
		for (const [key, value] of Object.entries(given)) {
			assert.deepEqual(more[key], value, key);
		}
		assert.deepEqual(more.meta, { reason: 'why', level: 2 });
	});

	check('sends and gets one of several forms', async () => {
		const by = { type: 'voucher', code: 'x' };
		assert.deepEqual(await good(call('pay', { amount: '1.00', method: by })), { ok: false, reason: 'the voucher is used up' });
		const { ok, by: paid } = await good(call('pay', { amount: '1.00', method: { last4: '1234', type: 'card' }, also: [by] }));
		assert.deepEqual([ok, paid], [true, 'card+voucher']);
	});

	check('is told how far a call is', async () => {
		const seen = [];
		assert.deepEqual(await good(call('recount', { steps: 3 }, { onprogress: (one) => seen.push(one) })), { steps: 3 });
		const told = [1, 2, 3].map((progress) => ({ progress, total: 3, message: 'Counting.' }));
		assert.deepEqual(progress(), told);
		// A library stops to listen once the answer is there, and may drop what came in together with it.
		assert.deepEqual(seen, told.slice(0, seen.length));
	});

	own({ world, call, tools: () => tools, client: () => client, expected });
}

// fewRights is what is not there for a caller, without a trace.
function fewRights({ world, call, tools, client, expected }) {
	check('sees no tool, member, form, value or default that is not for it', () => {
		assert.deepEqual(own(world, tools()), few);
		const told = few.map((name) => JSON.stringify(named(world, tools(), name)));
		for (const word of ['refund', 'audit', 'remark', 'signed', 'transfer', 'iban', 'void', 'cost', 'fee', 'tier', 'requires']) {
			assert.deepEqual(told.filter((text) => new RegExp(`\\b${word}\\b`).test(text)), [], word);
		}
		assert.equal(named(world, tools(), 'amend').inputSchema.properties.locale.default, 'en');
	});

	check('cannot tell what is hidden from what is not there', async () => {
		for (const [hidden, absent] of [['audit', 'audix'], ['refund', 'refunx']]) {
			const [a, b] = [await rejection(call(hidden, {})), await rejection(call(absent, {}))];
			assert.deepEqual([a.code, a.message.replaceAll(hidden, absent)], [-32602, b.message]);
		}
		const same = async (tool, one, other, args) => {
			const [a, b] = [await refused(call(tool, args(one))), await refused(call(tool, args(other)))];
			assert.equal(JSON.stringify(a).replaceAll(one, other), JSON.stringify(b));
		};
		await same('amend', 'remark', 'ramerk', (key) => ({ id: 'T-1', owner: null, [key]: 'x' }));
		await same('amend', 'void', 'vold', (status) => ({ id: 'T-1', owner: null, status }));
		await same('pay', 'transfer', 'transfor', (type) => ({ amount: '1', method: { type, iban: 'x' } }));
	});

	check('gets nothing back that is not for it', async () => {
		const { locale, cost } = await good(call('amend', { id: 'T-1', owner: null }));
		assert.deepEqual([locale, cost], ['en', undefined]);
		const paid = await good(call('pay', { amount: '1.00', method: { type: 'card', last4: '1234' } }));
		assert.deepEqual(paid, { ok: true, by: 'card' });
	});

	check('reads the rows of its own tenant', async () => {
		const entries = [{ id: '3', amount: '9007199254740993', memo: 'north' }, { id: '1', amount: '100', memo: 'north' }];
		assert.deepEqual(await good(call('balance', {})), { entries, sum: '9007199254741093' });
		assert.deepEqual(await good(call('balance', { memo: 'south' })), { entries: [], sum: '0' });
	});

	check('would notice a result that is not what its schema says', async () => {
		const recount = named(world, tools(), 'recount');
		const wrong = { ...recount, outputSchema: { type: 'object', required: ['nothing'] } };
		client().cacheToolMetadata?.([wrong]); // the one library takes the schema here, the other at the call
		await assert.rejects(call('recount', { steps: 1 }, { toolDefinition: wrong }), /does not match the tool's output schema/);
		client().cacheToolMetadata?.(tools());
	});
}

function allRights({ world, call, tools }) {
	check('sees everything, as it was declared', () => {
		assert.deepEqual(own(world, tools()), all);
		const { inputSchema: amend, title } = named(world, tools(), 'amend');
		assert.equal(title, 'Amend a ticket');
		assert.deepEqual(amend.$defs.status.enum, ['open', 'closed', 'void']);
		assert.equal(amend.properties.locale.default, 'de');
		for (const name of ['remark', 'signed']) {
			assert.ok(name in amend.properties, name);
		}
		const hints = (name) => named(world, tools(), name).annotations;
		assert.deepEqual(hints('scalars'), {
			title: 'scalars', readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false,
		});
		assert.deepEqual([hints('pay').readOnlyHint ?? false, hints('pay').destructiveHint, hints('pay').openWorldHint], [false, true, true]);
		assert.deepEqual([hints('shapes').destructiveHint, hints('shapes').idempotentHint], [false, true]);
	});

	check('sends and gets what is for it alone', async () => {
		const got = await good(call('amend', { id: 'T-1', owner: null, status: 'void', remark: 'x', signed: true }));
		assert.deepEqual([got.status, got.locale, got.cost], ['void', 'de', '12.50']);
		const paid = await good(call('pay', { amount: '1.00', method: { type: 'transfer', iban: 'DE1' } }));
		assert.deepEqual(paid, { ok: true, by: 'transfer', fee: '0.30' });
		assert.deepEqual(await good(call('audit', {})), {});
	});

	check('reads the rows of its own tenant', async () => {
		const entries = [{ id: '2', amount: '70', memo: 'south' }, { id: '4', amount: '-9007199254740993', memo: null }];
		assert.deepEqual(await good(call('balance', {})), { entries, sum: '-9007199254740923' });
	});

	check('has no person to ask', async () => {
		const { error } = await refused(call('refund', { order: 'x' }));
		assert.equal(error.code, 'forbidden');
		assert.match(error.message, /elicitation/);
	});
}

// people is what is asked of the person behind a client.
function people(world, connect, expected) {
	const clients = {};
	let forms, answers;
	const person = (form) => {
		forms.push(form);
		const answer = typeof answers === 'function' ? answers(form) : answers.shift();
		return answer ?? assert.fail(`asked once more: ${form.message}`);
	};
	before(async () => {
		for (const token of expected.asks(world) ? [world.chief, world.both] : [world.chief]) {
			clients[token] = await connect(world, token, undefined, person);
			await clients[token].listTools();
		}
	});
	after(async () => {
		for (const client of Object.values(clients)) {
			await client.close();
		}
	});

	// act calls a tool with a person who gives these answers in turn. It returns the forms with the result.
	const act = async (token, tool, args, ...given) => {
		[forms, answers] = [[], given];
		const result = await expected.callTool(clients[token], { name: world.prefix + tool, arguments: args });
		assert.deepEqual(answers, []);
		return { forms, result };
	};
	const accept = (content) => ({ action: 'accept', content });
	const refund = (token, ...answers) => act(token, 'refund', { order: 'A7' }, ...answers);

	if (!expected.asks(world)) {
		check('cannot be asked here', async () => {
			const { forms, result } = await refund(world.chief);
			assert.deepEqual(forms, []);
			assert.equal((await refused(result)).error.code, 'forbidden');
		});
	} else {
		check('agrees', async () => {
			const { forms, result } = await refund(world.chief, accept(consent));
			assert.deepEqual(forms.map((form) => form.message), ['Pay back A7?']);
			assert.deepEqual(forms[0].requestedSchema, consentForm);
			assert.deepEqual(await good(result), { tenant: '2', action: 'accept', form: consent });
		});

		for (const action of ['decline', 'cancel']) {
			check(`says ${action}`, async () => {
				const { result } = await refund(world.chief, { action });
				assert.deepEqual(await good(result), { tenant: '2', action, form: null });
			});
		}

		check('answers several calls at once, each as it was asked', async () => {
			const orders = ['A1', 'A2', 'A3'];
			forms = [];
			answers = ({ message }) => accept({ ...consent, name: message.slice('Pay back '.length, -1) });
			const call = (order) => expected.callTool(clients[world.chief], { name: `${world.prefix}refund`, arguments: { order } });
			const results = await Promise.all(orders.map((order) => good(call(order))));
			assert.deepEqual(results.map((one) => one.form.name), orders);
			assert.equal(forms.length, orders.length);
		});

		check('is asked while the call tells how far it is', async () => {
			[forms, answers] = [[], [accept(consent)]];
			const params = { name: `${world.prefix}refund`, arguments: { order: 'A7' } };
			assert.equal((await good(expected.callTool(clients[world.chief], params, { onprogress() {} }))).action, 'accept');
			assert.deepEqual(progress()[0], { progress: 1, total: 2, message: 'Asking.' });
			const asks = ({ method, result }) => method === 'elicitation/create' || result?.resultType === 'input_required';
			const [told, asked] = [isProgress, asks].map((what) => received().findIndex(what));
			assert.ok(0 <= told && told < asked, `told at ${told}, asked at ${asked}`);
		});

		check('is not taken at any word', async () => {
			const wrong = { ...consent, cause: 'SECRET', copies: 4, day: '2026-02-30' };
			const { result } = await refund(world.chief, accept(wrong));
			const { error, errors } = await refused(result);
			assert.deepEqual([error.code, errors.length], ['invalid_argument', 3]);
			assert.doesNotMatch(JSON.stringify(errors), /SECRET/);
		});

		check('says which account is meant, and the call goes on', async () => {
			const { forms, result } = await refund(world.both, accept({ tenant: '2' }), accept(consent));
			const choices = [{ const: '1', title: 'North' }, { const: '2', title: 'South' }];
			assert.deepEqual(forms[0].requestedSchema.properties.tenant.oneOf, choices);
			assert.deepEqual(await good(result), { tenant: '2', action: 'accept', form: consent });
			const read = await act(world.both, 'balance', {}, accept({ tenant: '1' }));
			assert.equal((await good(read.result)).sum, '9007199254741093');
			const listed = await act(world.both, 'list', { resource: 'entries', fields: ['id'] }, accept({ tenant: '2' }));
			assert.deepEqual((await good(listed.result)).rows, [{ id: 2 }, { id: 4 }]);
		});

		check('does not say which account is meant', async () => {
			for (const answer of [{ action: 'decline' }, { action: 'cancel' }, accept({ tenant: '3' })]) {
				const { forms, result } = await act(world.both, 'balance', {}, answer);
				assert.equal(forms.length, 1);
				assert.deepEqual(await granted(result), ['1', '2']);
			}
		});
	}

	if (expected.rounds) {
		check('is asked by a result, and its answer is good for that call alone', () => {
			[forms, answers] = [[], []];
			return rounds(world, clients[world.chief], accept(consent));
		});
	}

	check('is not there, and the accounts are named', async () => {
		const client = await connect(world, world.both);
		try {
			const call = (tool, args) => expected.callTool(client, { name: world.prefix + tool, arguments: args });
			for (const [tool, args] of [['balance', {}], ['refund', { order: 'A7' }]]) {
				assert.deepEqual(await granted(call(tool, args)), ['1', '2']);
			}
			assert.deepEqual(await good(call('recount', { steps: 1 })), { steps: 1 });
		} finally {
			await client.close();
		}
	});
}

// rounds does by hand what the library does by itself.
async function rounds(world, client, answer) {
	const call = (order, more) => {
		const params = { name: `${world.prefix}refund`, arguments: { order }, ...more };
		return client.request({ method: 'tools/call', params }, { allowInputRequired: true });
	};
	const { inputRequests, requestState, resultType } = await call('A7');
	assert.equal(resultType, 'input_required');
	const [[key, request], ...others] = Object.entries(inputRequests);
	assert.deepEqual([request.method, others], ['elicitation/create', []]);
	const inputResponses = { [key]: answer };
	const done = await good(call('A7', { inputResponses, requestState }));
	assert.equal(done.action, 'accept');
	for (const [order, state] of [['A8', requestState], ['A7', `${requestState}x`]]) {
		await assert.rejects(call(order, { inputResponses, requestState: state }), /requestState is not valid for this call/);
	}
	assert.equal((await call('A7', { inputResponses })).resultType, 'input_required'); // nothing was asked of it
}

// own are the names of the host's tools among those of the framework.
function own(world, tools) {
	const framework = ['aggregate', 'get', 'list', 'resource_schema', 'resources'];
	const names = tools.map((tool) => tool.name.replace(world.prefix, ''));
	assert.deepEqual(names.filter((name) => framework.includes(name)), framework);
	return names.filter((name) => !framework.includes(name));
}

const named = (world, tools, name) => tools.find((tool) => tool.name === world.prefix + name);

// refused returns the mistakes of a call that must fail. They are text alone, since they fit no output schema.
async function refused(result) {
	const { isError, content, structuredContent } = await result;
	assert.deepEqual([isError, structuredContent, content.length], [true, undefined, 1], JSON.stringify(content));
	const answer = JSON.parse(content[0].text);
	assert.deepEqual(answer.error, (answer.errors ??= [answer.error])[0]);
	return answer;
}

// granted are the tenants that a call might have named.
async function granted(result) {
	const { error } = await refused(result);
	assert.equal(error.code, 'forbidden');
	return error.allowed;
}

const scalars = {
	text: 'héllo\u2028<"\\\n', code: 'AB-12', kind: 'scalars', size: 'm', stars: 2, flag: true, whole: -5, tiny: -128, small: -32768,
	medium: 2147483647, large: Number.MIN_SAFE_INTEGER, count: 0, octet: 255, short: 65535, word: 4294967295, long: Number.MAX_SAFE_INTEGER,
	key: '-9223372036854775808', serial: '18446744073709551615', ratio: 0.25, rough: 0.5, number: 0.07, price: '19.90',
	day: '2024-02-29', at: '2026-07-01T09:30:00.000001Z', bytes: 'AAEC/w==', encoded: 'eA==', free: [1, { a: null }], raw: { x: [1.5, 'y'] },
	address: '2001:db8::1', email: 'a@example.org', host: 'example.org', v4: '10.0.0.1', v6: '::1', link: 'https://example.org/x?y=1',
	uuid: '6f1f2c9e-3b1a-4f0e-9a52-1f7f4c0d2b11', date: '2026-01-31', date_time: '2026-07-01T09:30:00+02:00', old: 'x',
};

// mistaken are values that each break a rule.
const mistaken = {
	text: '', code: 'x', kind: 'y', size: 'xl', stars: 4, flag: 'true', whole: 6, tiny: 128, small: 1.5, octet: -1, key: 12, serial: '-1',
	ratio: 1, number: 0.001, price: '0', day: '2023-02-29', at: '2026-07-01', bytes: '=', address: 'x', email: 'a', v4: '::1', v6: 'x',
	link: '/x', uuid: 'x', date: 'x', extra: 1,
};

const place = { street: 'A 1', city: 'B' };

const shapes = {
	tags: ['a', 'b'], pair: [0.5, 2], grid: [[1, 2], [], [3]], days: ['2026-01-01', '2026-01-02'], totals: { net: '10.00' }, labels: { en: 'x' },
	home: place, work: place, others: { x: place }, tree: { name: 'a', parts: [{ name: 'b', parts: [{ name: 'c' }] }] },
	box: { wide: 1, lid: { closed: false } },
};

const consent = {
	cause: 'late', channels: ['mail', 'letter'], words: ['please'], speed: 'fast', name: 'Jane', mail: 'jane@example.org', copies: 3, share: 12.5,
	sure: false, day: '2026-07-01',
};

// consentForm is how the form is shown: with the titles of choices, and with defaults, of whatever revision.
const consentForm = {
	type: 'object',
	properties: {
		cause: {
			type: 'string', title: 'Why', default: 'damaged',
			oneOf: [{ const: 'damaged', title: 'It came damaged' }, { const: 'late', title: 'It came late' }],
		},
		channels: {
			type: 'array', minItems: 1, maxItems: 2,
			items: { anyOf: [{ const: 'mail', title: 'By mail' }, { const: 'phone', title: 'By phone' }, { const: 'letter', title: 'By letter' }] },
		},
		words: { type: 'array', items: { type: 'string', enum: ['please', 'thanks'] } },
		speed: { type: 'string', enum: ['slow', 'fast'], default: 'slow' },
		name: { type: 'string', default: 'John Doe', minLength: 1, maxLength: 20 },
		mail: { type: 'string', format: 'email' },
		copies: { type: 'integer', default: 1, minimum: 1, maximum: 3 },
		share: { type: 'number', default: 95.5, minimum: 0, maximum: 100 },
		sure: { type: 'boolean', default: true },
		day: { type: 'string', format: 'date' },
	},
	required: ['day'],
};
