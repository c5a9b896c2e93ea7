// Connections of the two TypeScript SDKs, whose transports take the same options.
import { record } from './check.mjs';

// connector returns the function that connects a client to a world, as the caller of the token. The client has a person
// behind it where one is given: the function that answers a form.
export function connector({ newClient, HTTP, Stdio }) {
	return async (world, token, headers, person) => {
		const transport = world.url
			? new HTTP(new URL(world.url), { requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } } })
			: new Stdio({ command: world.command, args: world.args, env: world.env(token), stderr: 'pipe' });
		record(transport);
		const client = newClient(person);
		await client.connect(transport);
		return client;
	};
}
