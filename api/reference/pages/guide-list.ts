import type { Environment } from '../../../domain/accounts/credentials.ts';

/** The guides of a group of readers: the path below which they are served, their names, titles. */
export type GuideGroup = {
  readonly title: string;
  readonly path: '/docs' | '/operator/docs';
  /** The folder of their files. */
  readonly folder: 'docs' | 'docs/operators';
  /** The titles by the names. Errors and the references link to the names. */
  readonly guides: Readonly<Record<string, string>>;
  /** The files of the guides whose file is not `{folder}/{name}.md`. */
  readonly files: Readonly<Record<string, string>>;
};

export const vendorGuides = {
  title: 'For vendors',
  path: '/docs',
  folder: 'docs',
  guides: {
    'first-day': 'Your first day',
    sandbox: 'First day in the sandbox',
    authentication: 'Authentication',
    errors: 'Errors',
    offers: 'Offers',
    'large-catalogues': 'Large catalogues',
    shipments: 'Shipments',
    returns: 'Returns',
    webhooks: 'Webhooks',
    'webhook-libraries': 'Webhook libraries',
    'generated-clients': 'Generated clients',
    choices: 'Choices',
    'typescript-client': 'TypeScript client',
    'command-line': 'Command line',
  },
  files: {
    'typescript-client': 'clients/typescript/README.md',
    'command-line': 'clients/cli/README.md',
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
    'temporal-ui': 'The Temporal UI',
    operating: 'Operating',
    installing: 'Installing',
    sizes: 'Sizes',
    keys: 'Keys',
    monitoring: 'Monitoring',
    logs: 'Logs and traces',
    repairs: 'Failures and repairs',
    backups: 'Backups',
    upgrading: 'Restarts and upgrades',
    cluster: 'On several machines',
    configuration: 'Configuration',
    faults: 'Faults',
  },
  files: {
    'temporal-ui': 'docs/temporal-ui.md',
    operating: 'docs/operating.md',
    installing: 'docs/operating/installing.md',
    sizes: 'docs/operating/sizes.md',
    keys: 'docs/operating/keys.md',
    monitoring: 'docs/operating/monitoring.md',
    logs: 'docs/operating/logs.md',
    repairs: 'docs/operating/repairs.md',
    backups: 'docs/operating/backups.md',
    upgrading: 'docs/operating/upgrading.md',
    configuration: 'docs/configuration.md',
    faults: 'docs/faults.md',
  },
} as const satisfies GuideGroup;

/** Every group of guides that the gateway serves. */
export const guideGroups: readonly GuideGroup[] = [vendorGuides, operatorGuides];

/** The guides that only one environment serves: each is the first day there. */
const environmentOf: Readonly<Record<string, Environment>> = {
  'first-day': 'Production',
  sandbox: 'Sandbox',
};

/** The names and titles of the guides of a group that an environment serves. */
export const guidesIn = (
  { guides }: GuideGroup,
  environment: Environment,
): ReadonlyArray<readonly [name: string, title: string]> =>
  Object.entries(guides).filter(([name]) => (environmentOf[name] ?? environment) === environment);

/** A guide's file, from the project's folder. */
export function guideFile(name: string): string {
  const group = guideGroups.find(({ guides }) => Object.hasOwn(guides, name));
  return group?.files[name] ?? `${group?.folder ?? 'docs'}/${name}.md`;
}

/**
 * The address of a guide by a relative link to its file, such as `../docs/offers.md`; null for a
 * file that the environment does not serve.
 */
export function guidePath(link: string, environment: Environment): string | null {
  const end = `/${link.replace(/^(?:\.\.?\/)+/, '')}`;
  for (const group of guideGroups)
    for (const [name] of guidesIn(group, environment))
      if (`/${guideFile(name)}`.endsWith(end)) return `${group.path}/${name}`;
  return null;
}
