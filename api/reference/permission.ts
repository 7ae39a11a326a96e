import type { FastifyContextConfig } from 'fastify';

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Who may call a route, in a sentence for its description; null where it takes no token. */
export function permissionOf({
  config: { capability, role },
}: {
  readonly config: FastifyContextConfig;
}): string | null {
  if (role !== undefined) return `Role: ${list([role])}${role === 'Admin' ? '' : ' or `Admin`'}.`;
  if (capability === undefined) return null;
  if (capability === null) return 'Capability: none; any vendor token will do.';
  if (typeof capability === 'string') return `Capability: ${list([capability])}.`;
  return `Capability: any one of ${list(capability)}.`;
}
