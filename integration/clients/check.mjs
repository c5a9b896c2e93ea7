// A test that shows what went over the wire when it fails.
import { test } from 'node:test';

const exchange = [];
let messages = [];
const longest = 4000;

// note keeps a line of the exchange for the test that runs now.
export function note(line) {
	exchange.push(line.length > longest ? `${line.slice(0, longest)} (and ${line.length - longest} more)` : line);
}

// record keeps what a transport of either SDK sends and receives, and what its server prints.
export function record(transport) {
	const send = transport.send.bind(transport);
	transport.send = (message, options) => {
		note(`> ${JSON.stringify(message)}`);
		return send(message, options);
	};
	transport.onmessage = (message) => {
		messages.push(message);
		note(`< ${JSON.stringify(message)}`);
	};
	transport.stderr?.on('data', (text) => note(`stderr: ${text}`));
}

// received is what the server has sent in the test that runs now, whatever the library made of it.
export const received = () => messages;

// check is a test with a name.
export function check(name, run) {
	test(name, async () => {
		exchange.length = 0;
		messages = [];
		try {
			await run();
		} catch (error) {
			console.error(`The exchange of "${name}":\n${exchange.join('\n')}`);
			throw error;
		}
	});
}
