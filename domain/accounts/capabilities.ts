/** Capabilities in the specification's order (part 5). */
export const capabilities = ['Offers', 'Stock', 'Cost', 'Orders', 'Account'] as const;
export type Capability = (typeof capabilities)[number];

const isCapability = (name: string): name is Capability =>
  (capabilities as readonly string[]).includes(name);

/**
 * Parses "Offers, Stock" to capabilities in the specification's order, without duplicates; null
 * when a name is unknown or empty. Names are case-sensitive; blanks around commas are allowed.
 */
export function parseCapabilities(list: string): readonly Capability[] | null {
  const names = list.split(',').map((name) => name.trim());
  if (!names.every(isCapability)) return null;
  return capabilities.filter((capability) => names.includes(capability));
}

/** The list that credentials show: in the specification's order, without blanks. */
export const formatCapabilities = (granted: readonly Capability[]): string =>
  capabilities.filter((capability) => granted.includes(capability)).join(',');
