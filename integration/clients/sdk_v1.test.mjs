// The TypeScript SDK's first version, which most hosts embed, with the handshake of the older revisions.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connector } from './connect.mjs';
import { suite } from './suite.mjs';

// The transport over HTTP keeps the revision that was agreed on; this one would forget it.
class Stdio extends StdioClientTransport {
	setProtocolVersion(version) {
		this.protocolVersion = version;
	}
}

const connect = connector({
	newClient: () => new Client({ name: 'sdk-v1', version: '1' }, { capabilities: {} }),
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
