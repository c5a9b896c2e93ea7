// The TypeScript SDK's first version, which most hosts embed, with the handshake of the older revisions.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connector } from './connect.mjs';
import { suite } from './suite.mjs';
import { typed } from './typed.mjs';

// The transport over HTTP keeps the revision that was agreed on; this one would forget it.
class Stdio extends StdioClientTransport {
	setProtocolVersion(version) {
		this.protocolVersion = version;
	}
}

function newClient(person) {
	const client = new Client({ name: 'sdk-v1', version: '1' }, { capabilities: person ? { elicitation: { form: {} } } : {} });
	if (person) {
		client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params));
	}
	return client;
}

const connect = connector({
	newClient,
	HTTP: StreamableHTTPClientTransport,
	Stdio,
});

suite('SDK v1', connect, {
	version: (client) => client.transport.protocolVersion,
	revision: '2025-11-25',
	notFound: -32002,
	unauthorized: { code: 401 },
	ended: /Connection closed/,
});

typed('SDK v1', connect, {
	callTool: (client, params, options) => client.callTool(params, undefined, options),
	asks: (world) => !world.url,
});
