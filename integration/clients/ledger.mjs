// The rows that the clients read, and the program that writes them: node ledger.mjs FILE makes an SQLite database.
import { DatabaseSync } from 'node:sqlite';

// Numbers that a double cannot hold. The neighbours belong to the other tenant, so that whoever rounds finds a
// row that is not theirs, or none.
const large = {
	north: [-9223372036854775808n, 9007199254740991n, 9007199254740993n, 9223372036854775807n],
	south: [-9223372036854775807n, 9007199254740992n, 9007199254740994n, 9223372036854775806n],
};

// entries returns the ids of one tenant's entries, as texts in ascending order: 60 small ones, odd or even, and
// the large ones.
function entries(name, first) {
	const small = Array.from({ length: 60 }, (_, n) => BigInt(first + 2 * n));
	return [...small, ...large[name]].sort((a, b) => (a < b ? -1 : 1)).map(String);
}

export const ledger = {
	north: { id: 1n, token: 'north-token', entries: entries('north', 1) },
	south: { id: 2n, token: 'south-token', entries: entries('south', 2) },
	both: 'both-token', // may act for either
};

function write(path) {
	const db = new DatabaseSync(path);
	db.exec(`
		CREATE TABLE accounts (id INTEGER PRIMARY KEY, company_id INTEGER NOT NULL, name TEXT NOT NULL);
		CREATE TABLE entries (
			id BIGINT NOT NULL PRIMARY KEY, company_id INTEGER NOT NULL, account_id INTEGER NOT NULL REFERENCES accounts,
			amount BIGINT NOT NULL, memo TEXT);
		BEGIN`);
	const account = db.prepare('INSERT INTO accounts VALUES (?, ?, ?)');
	const entry = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)');
	for (const name of ['north', 'south']) {
		const { id: company, entries } = ledger[name];
		account.run(10n * company, company, `Cash of ${name}`);
		for (const id of entries) {
			entry.run(BigInt(id), company, 10n * company, BigInt(id), `${name} ${id}`);
		}
	}
	db.exec('COMMIT');
	db.close();
}

if (process.argv[1] === import.meta.filename) {
	write(process.argv[2]);
}
