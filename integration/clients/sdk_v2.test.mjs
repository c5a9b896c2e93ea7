// The TypeScript SDK's second version, which asks the server for the newest revision of the protocol.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connector } from './connect.mjs';
import { suite } from './suite.mjs';

const connect = connector({
	newClient: () =>
		new Client({ name: 'sdk-v2', version: '1' }, { capabilities: {}, versionNegotiation: { mode: 'auto' } }),
	HTTP: StreamableHTTPClientTransport,
	Stdio: StdioClientTransport,
});

suite('SDK v2', connect, {
	version: (client) => client.getNegotiatedProtocolVersion(),
	revision: '2026-07-28',
	notFound: -32602,
	unauthorized: (error) => error.code === 'CLIENT_HTTP_AUTHENTICATION' && error.data.status === 401,
	ended: /Connection closed/,
});
