// The TypeScript SDK's second version, which asks the server for the newest revision of the protocol.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connector } from './connect.mjs';
import { suite } from './suite.mjs';
import { typed } from './typed.mjs';

const connected = (versionNegotiation) => {
	const newClient = (person) => {
		const capabilities = person ? { elicitation: { form: {} } } : {};
		const client = new Client({ name: 'sdk-v2', version: '1' }, { capabilities, versionNegotiation });
		if (person) {
			client.setRequestHandler('elicitation/create', ({ params }) => person(params));
		}
		return client;
	};
	return connector({ newClient, HTTP: StreamableHTTPClientTransport, Stdio: StdioClientTransport });
};

const connect = connected({ mode: 'auto' });

suite('SDK v2', connect, {
	version: (client) => client.getNegotiatedProtocolVersion(),
	revision: '2026-07-28',
	notFound: -32602,
	unauthorized: (error) => error.code === 'CLIENT_HTTP_AUTHENTICATION' && error.data.status === 401,
	ended: /Connection closed/,
});

// It answers input_required by itself: asks the person, and calls again. In the older revisions it has elicitation/create.
const callTool = (client, params, options) => client.callTool(params, options);
typed('SDK v2', connect, { callTool, asks: () => true, rounds: true });
typed('SDK v2 in the older handshake', connected(undefined), { callTool, asks: (world) => !world.url });
