// What the clients talk to. run.sh starts the servers and says in the environment where they are.
import { join } from 'node:path';
import { ledger } from './ledger.mjs';

const env = (name) => process.env[name] ?? assertRun(name);

function assertRun(name) {
	throw new Error(`${name} is not set: start these tests with run.sh`);
}

const every = (n, keep) => Array.from({ length: n }, (_, i) => i + 1).filter(keep).map(String);

// The orders of tenantry demo: even ids are Acme's, of which every 50th is deleted, and odd ones Globex's.
const orders = {
	acme: every(1500, (id) => id % 2 === 0 && id % 50 !== 0),
	globex: every(1500, (id) => id % 2 === 1),
};

const ledgerTenants = [
	{ token: ledger.north.token, ids: ledger.north.entries, foreign: ledger.south.entries },
	{ token: ledger.south.token, ids: ledger.south.entries, foreign: ledger.north.entries },
];

// A world is a server with two tenants; ids and foreign are the keys that one has and the other has.
export const demo = {
	title: 'tenantry demo over HTTP',
	url: env('CLIENTS_DEMO'),
	prefix: '',
	resource: 'orders',
	resources: ['customers', 'order_lines', 'orders'],
	absent: '1501',
	grouped: 'state', // without a field to group by there is no tool aggregate
	related: 'customer',
	tenants: [
		{ token: env('CLIENTS_DEMO_ACME'), ids: orders.acme, foreign: orders.globex },
		{ token: env('CLIENTS_DEMO_GLOBEX'), ids: orders.globex, foreign: orders.acme },
	],
};

const ledgerWorld = {
	prefix: 'ledger_',
	resource: 'entries',
	resources: ['accounts', 'entries'],
	hidden: 'payroll',
	absent: '1501',
	tenants: ledgerTenants,
	both: ledger.both,
	large: true,
};

export const overHTTP = { ...ledgerWorld, title: 'a file over HTTP', url: env('CLIENTS_LEDGER') };

export const overStdio = {
	...ledgerWorld,
	title: 'a file over stdio',
	command: env('CLIENTS_TENANTRY'),
	args: ['serve', '--config', join(import.meta.dirname, 'ledger.yaml'), '--stdio', '--log-level', 'error'],
	env: (token) => ({ LEDGER: env('LEDGER'), TENANTRY_TOKEN: token }),
};

export const worlds = [demo, overHTTP, overStdio];

// The host with typed tools of its own, whose callers are one with few rights, one with all, and one of two tenants.
const deskWorld = {
	prefix: 'desk_',
	clerk: 'clerk-token',
	chief: 'chief-token',
	both: 'both-token',
};

export const deskOverHTTP = { ...deskWorld, title: 'typed tools over HTTP', url: env('CLIENTS_DESK') };

export const deskOverStdio = {
	...deskWorld,
	title: 'typed tools over stdio',
	command: env('CLIENTS_TYPED'),
	args: ['-stdio'],
	env: (token) => ({ TYPED_TOKEN: token }),
};

// What the conformance suite calls by name.
export const prescribed = { url: env('CLIENTS_PRESCRIBED'), token: deskWorld.clerk };
