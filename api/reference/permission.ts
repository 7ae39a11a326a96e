import type { FastifyContextConfig } from 'fastify';

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The sentence on who may call a route, for its description; null for a route without a token. */
export function permissionOf({ capability, role }: FastifyContextConfig): string | null {
  if (role === 'Admin') return 'Role: `Admin`.';
  if (role !== undefined)
    return `Role: ${list(typeof role === 'string' ? [role] : role)} or \`Admin\`.`;
  if (capability === undefined) return null;
  if (capability === null) return 'Capability: none.';
  if (typeof capability === 'string') return `Capability: ${list([capability])}.`;
  return `Capability: any one of ${list(capability)}.`;
}
