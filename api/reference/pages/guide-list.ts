import type { Environment } from '../../../domain/accounts/credentials.ts';

/** The guides of a group of readers: the path below which they are served, their names, titles. */
export type GuideGroup = {
  readonly title: string;
  readonly path: '/docs' | '/operator/docs';
  /**
   * Title and file by the name, and the only environment that serves it. Errors and the references
   * link to the names.
   */
  readonly guides: Readonly<
    Record<string, readonly [title: string, file: string, only?: Environment]>
  >;
};

export const vendorGuides = {
  title: 'For vendors',
  path: '/docs',
  guides: {
    'first-day': ['Your first day', 'docs/first-day.md', 'Production'],
    sandbox: ['First day in the sandbox', 'docs/sandbox.md', 'Sandbox'],
    authentication: ['Authentication', 'docs/authentication.md'],
    errors: ['Errors', 'docs/errors.md'],
    offers: ['Offers', 'docs/offers.md'],
    'large-catalogues': ['Large catalogues', 'docs/large-catalogues.md'],
    shipments: ['Shipments', 'docs/shipments.md'],
    returns: ['Returns', 'docs/returns.md'],
    webhooks: ['Webhooks', 'docs/webhooks.md'],
    'webhook-libraries': ['Webhook libraries', 'docs/webhook-libraries.md'],
    'generated-clients': ['Generated clients', 'docs/generated-clients.md'],
    choices: ['Choices', 'docs/choices.md'],
    'typescript-client': ['TypeScript client', 'clients/typescript/README.md'],
    'command-line': ['Command line', 'clients/cli/README.md'],
  },
} as const satisfies GuideGroup;

export const operatorGuides = {
  title: 'For operators',
  path: '/operator/docs',
  guides: {
    reviewing: ['Reviewing', 'docs/operators/reviewing.md'],
    'operator-orders': ['Orders', 'docs/operators/operator-orders.md'],
    'operator-returns': ['Returns', 'docs/operators/operator-returns.md'],
    'operator-webhooks': ['Webhooks', 'docs/operators/operator-webhooks.md'],
    'temporal-ui': ['The Temporal UI', 'docs/temporal-ui.md'],
    operating: ['Operating', 'docs/operating.md'],
    installing: ['Installing', 'docs/operating/installing.md'],
    sizes: ['Sizes', 'docs/operating/sizes.md'],
    keys: ['Keys', 'docs/operating/keys.md'],
    monitoring: ['Monitoring', 'docs/operating/monitoring.md'],
    logs: ['Logs and traces', 'docs/operating/logs.md'],
    repairs: ['Failures and repairs', 'docs/operating/repairs.md'],
    backups: ['Backups', 'docs/operating/backups.md'],
    upgrading: ['Restarts and upgrades', 'docs/operating/upgrading.md'],
    cluster: ['On several machines', 'docs/operators/cluster.md'],
    configuration: ['Configuration', 'docs/configuration.md'],
    faults: ['Faults', 'docs/faults.md'],
  },
} as const satisfies GuideGroup;

/** Every group of guides that the gateway serves. */
export const guideGroups: readonly GuideGroup[] = [vendorGuides, operatorGuides];

/** The names and titles of the guides of a group that an environment serves. */
export const guidesIn = ({ guides }: GuideGroup, environment: Environment) =>
  Object.entries(guides).flatMap(([name, [title, , only = environment]]) =>
    only === environment ? [[name, title] as const] : [],
  );

/** A guide's file, from the project's folder. */
export const guideFile = (name: string): string =>
  guideGroups.flatMap(({ guides }) => guides[name]?.[1] ?? [])[0] ?? `docs/${name}.md`;

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
