import type { Summary } from './results.ts';

/** A bound and what was measured. */
export type Goal = {
  readonly name: string;
  readonly bound: string;
  readonly measured: number;
  readonly isMet: boolean;
};

/** Bounds at each rate; the p99 has the same at all. */
export const goalsPerRate = [
  { perSecond: 20, p50Ms: 8, cpuMs: 8, isAheadOfPeer: false },
  { perSecond: 100, p50Ms: 12, cpuMs: 4, isAheadOfPeer: true },
  { perSecond: 300, p50Ms: 20, cpuMs: 2.5, isAheadOfPeer: true },
];
const p99Ms = 50;
const burstRatio = 1.2;
const backlogPerSecond = 4000;

const goalOf =
  (side: 'at most' | 'at least') =>
  (name: string, measured: number, bound: number, of = ''): Goal => ({
    name,
    bound: `${side} ${Number(bound.toPrecision(3))}${of}`,
    measured,
    isMet: side === 'at most' ? measured <= bound : measured >= bound,
  });
const [atMost, atLeast] = [goalOf('at most'), goalOf('at least')];

/** What is judged at each rate. */
const figures = [
  ['p50Ms', 'p50 ms'],
  ['p99Ms', 'p99 ms'],
  ['cpuMs', 'CPU ms an event'],
] as const;
type Bounds = Readonly<Record<(typeof figures)[number][0], number>>;

const rateOf = ({ rates }: Summary, perSecond: number) =>
  rates.find((rate) => rate.perSecond === perSecond);

/** Judges the gateway; goals that compare with the peer need its figures of the same benchmark. */
export function judge(gateway: Summary, peer: Summary | undefined): readonly Goal[] {
  const ofPeer = peer === undefined ? '' : ` (${peer.name})`;
  const rates = goalsPerRate.flatMap((goal) => {
    const { perSecond } = goal;
    const own = rateOf(gateway, perSecond);
    if (own === undefined) return [];
    const theirs = peer === undefined ? undefined : rateOf(peer, perSecond);
    const judgeRate = (bounds: Bounds, of = '') =>
      figures.map(([key, name]) => atMost(`${perSecond}/s: ${name}`, own[key], bounds[key], of));
    return [
      ...judgeRate({ p99Ms, ...goal }),
      ...(theirs === undefined || !goal.isAheadOfPeer ? [] : judgeRate(theirs, ofPeer)),
    ];
  });
  const { acceptedPerSecond, deliveredPerSecond } = gateway.burst;
  const bursts =
    peer === undefined
      ? []
      : ([
          ['accepted', acceptedPerSecond, peer.burst.acceptedPerSecond],
          ['delivered', deliveredPerSecond, peer.burst.deliveredPerSecond],
        ] as const);
  return [
    ...rates,
    ...bursts.map(([name, own, theirs]) =>
      atLeast(`burst: ${name} per s`, own, theirs * burstRatio, ` (${burstRatio} x ${peer?.name})`),
    ),
    atLeast('backlog: delivered per s', gateway.backlogPerSecond ?? 0, backlogPerSecond),
  ];
}
