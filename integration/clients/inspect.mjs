// The MCP Inspector's command line: each call is a process and a connection of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { note } from './check.mjs';

const program = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

// Its exit codes.
export const [ok, signIn, toolError, lint] = [0, 3, 5, 6];

// inspect runs a method and returns the exit code with what was printed, parsed where it is JSON, and what the linter found.
export function inspect(world, token, era, method) {
	const where = world.url
		? [world.url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`, '--stored-auth-only']
		: ['--transport', 'stdio', ...Object.entries(world.env(token)).flatMap(([k, v]) => ['-e', `${k}=${v}`])];
	const server = world.url ? [] : ['--', world.command, ...world.args];
	const args = ['--cli', ...where, '--protocol-era', era, '--format', 'json', '-q', ...method, ...server];
	return new Promise((resolve) => {
		execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
			const code = error ? error.code : ok;
			note(`> mcp-inspector ${args.join(' ')}\n< exit ${code}\n${stdout}${stderr}`);
			const { result, schemaFindings: findings = [] } = code === lint || stdout === '' ? {} : JSON.parse(stdout);
			resolve({ code, stdout, stderr, result, findings });
		});
	});
}
