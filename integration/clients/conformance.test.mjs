// The protocol's own conformance suite. Most of its scenarios need tools that a data server does not have; those of the
// demo need none, and a host with typed tools serves some of those that are prescribed. And whatever the suite asks for,
// each message of ours has to be valid by the schema of its revision.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe } from 'node:test';
import { check, note } from './check.mjs';
import { demo, prescribed } from './world.mjs';

const program = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

// By revision and scenario: the checks that fail for want of a tool or a prompt. Prompts are not declared, so that asking
// for them is refused.
const scenarios = {
	'2025-11-25': {
		'dns-rebinding-protection': [],
		ping: [],
		'prompts-list': ['prompts-list'],
		'resources-list': [],
		'server-initialize': [],
		'server-session-lifecycle': [],
		'tools-list': [],
	},
	'2026-07-28': {
		caching: ['sep-2549-prompts-list-caching-hints'],
		'dns-rebinding-protection': [],
		'http-header-validation': [],
		'input-required-result-unsupported-methods': [],
		'prompts-list': ['prompts-list'],
		'resources-list': [],
		'sep-2164-resource-not-found': [],
		'server-sse-multiple-streams': [],
		'server-stateless': [
			'sep-2575-http-server-no-independent-requests-on-stream',
			'sep-2575-missing-capability-http-400',
			'sep-2575-server-no-log-without-loglevel',
			'sep-2575-server-rejects-undeclared-capability',
		],
		'tools-list': [],
	},
};

// By revision: the scenarios of the tools that are prescribed, with the checks that do not succeed. These are not served:
// tools with content other than text, which a typed tool does not have; hand-written schemas (json-schema-2020-12) and
// parameters in headers; sampling, roots, logging and prompts, and with them several questions at once; the elicitation of
// 2025-11-25, for which stateless HTTP has no way (the SDKs are asked over stdio); and a tool whose name is longer than
// ours may be (tampered-state, which the SDKs try as well).
const served = {
	'2025-11-25': {
		'tools-call-error': [],
		'tools-call-simple-text': [],
		'tools-call-with-progress': [],
		'tools-list': [],
	},
	'2026-07-28': {
		'input-required-result-basic-elicitation': [],
		// It answers what was never asked of it. That is asked, since an answer counts with the state it was given.
		'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
		'input-required-result-missing-input-response': [],
		'input-required-result-multi-round': [],
		'input-required-result-request-state': [],
		'input-required-result-result-type': [],
		'input-required-result-validate-input': [],
		'server-stateless': [
			'sep-2575-missing-capability-http-400',
			'sep-2575-server-no-log-without-loglevel',
			'sep-2575-server-rejects-undeclared-capability',
		],
		'tools-call-error': [],
		'tools-call-simple-text': [],
		'tools-call-with-progress': [],
		'tools-list': [],
	},
};

// signedIn serves a server to the suite, which cannot send a token.
function signedIn(url, token) {
	const { hostname, port, pathname: path } = new URL(url);
	const headers = { authorization: `Bearer ${token}` };
	const proxy = createServer((req, res) => {
		const { method } = req;
		const on = request({ hostname, port, path, method, headers: { ...req.headers, ...headers } }, (answer) => {
			res.writeHead(answer.statusCode, answer.headers);
			answer.pipe(res);
		});
		on.on('error', () => res.destroy());
		res.on('close', () => on.destroy());
		req.pipe(on);
	});
	return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)));
}

// run runs the scenarios of a revision and returns the checks of each.
async function run(server, token, revision) {
	const dir = await mkdtemp(join(tmpdir(), 'conformance-'));
	const proxy = await signedIn(server, token);
	try {
		const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
		const args = ['server', '--url', url, '--requirements', revision, '--timeout', '120000', '--output-dir', dir];
		const printed = await new Promise((resolve) => {
			execFile(process.execPath, [program, ...args], (_, stdout, stderr) => resolve(stdout + stderr));
		});
		const checks = new Map();
		for (const name of await readdir(dir)) {
			const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
			checks.set(scenario, JSON.parse(await readFile(join(dir, name, 'checks.json'))));
		}
		return { checks, printed };
	} finally {
		proxy.close();
		proxy.closeAllConnections();
		await rm(dir, { recursive: true });
	}
}

// conforms runs the scenarios of a revision against a server. Of every scenario, those too that are not expected, the
// messages have to be valid.
function conforms(server, token, revision, expected) {
	let checks, printed;
	before(async () => ({ checks, printed } = await run(server, token, revision)));

	for (const [scenario, missing] of Object.entries(expected)) {
		check(scenario, () => {
			assert.ok(checks.has(scenario), printed);
			const failed = checks.get(scenario).filter((one) => one.status === 'FAILURE' || missing.includes(one.id));
			note(JSON.stringify(failed, null, '\t'));
			assert.deepEqual([...new Set(failed.filter((one) => one.status !== 'SUCCESS').map((one) => one.id))].sort(), missing);
		});
	}

	check('every message is valid', () => {
		const judged = [...checks.values()].flat().filter((one) => one.id === 'wire-schema-valid');
		const wrong = judged.filter((one) => one.status !== 'SUCCESS');
		note(JSON.stringify(wrong, null, '\t'));
		assert.deepEqual(wrong, []);
		assert.ok(judged.length >= 25, `only ${judged.length} scenarios were judged`);
	});
}

for (const revision of ['2025-11-25', '2026-07-28']) {
	describe(`Conformance with ${revision}, demo`, () => {
		conforms(demo.url, demo.tenants[0].token, revision, scenarios[revision]);
	});
	describe(`Conformance with ${revision}, prescribed tools`, () => {
		conforms(prescribed.url, prescribed.token, revision, served[revision]);
	});
}
