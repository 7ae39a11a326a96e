/** The guides of a group of readers: the path below which they are served, their names, titles. */
export type GuideGroup = {
  readonly title: string;
  readonly path: '/docs' | '/operator/docs';
  /** The folder of their files. */
  readonly folder: 'docs' | 'docs/operators';
  /** By their file name. Errors and the references link to them. */
  readonly guides: Readonly<Record<string, string>>;
};

export const vendorGuides = {
  title: 'For vendors',
  path: '/docs',
  folder: 'docs',
  guides: {
    'first-day': 'Your first day',
    authentication: 'Authentication',
    errors: 'Errors',
    offers: 'Offers',
    'large-catalogues': 'Large catalogues',
    shipments: 'Shipments',
    returns: 'Returns',
    webhooks: 'Webhooks',
    'webhook-libraries': 'Webhook libraries',
  },
} as const satisfies GuideGroup;

export const operatorGuides = {
  title: 'For operators',
  path: '/operator/docs',
  folder: 'docs/operators',
  guides: {
    reviewing: 'Reviewing',
    'operator-orders': 'Orders',
    'operator-returns': 'Returns',
    'operator-webhooks': 'Webhooks',
  },
} as const satisfies GuideGroup;

/** Every group of guides that the gateway serves. */
export const guideGroups: readonly GuideGroup[] = [vendorGuides, operatorGuides];

const groupOf = (name: string): GuideGroup | undefined =>
  guideGroups.find(({ guides }) => Object.hasOwn(guides, name));

/** The address of a guide by the name of its file; null for a page that is not served. */
export function guidePath(name: string): string | null {
  const group = groupOf(name);
  return group === undefined ? null : `${group.path}/${name}`;
}

/** A guide's file, from the project's folder. */
export const guideFile = (name: string): string => `${groupOf(name)?.folder ?? 'docs'}/${name}.md`;
