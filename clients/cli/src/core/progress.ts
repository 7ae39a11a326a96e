import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.ts';

/** Shows how much is done. */
export type Progress = { readonly step: (count?: number) => void; readonly end: () => void };

/** A bar on the terminal's stderr; nothing where no terminal shows it. */
export function startProgress({ isInteractive }: Output, total: number): Progress {
  if (!isInteractive || total === 0) return { step: () => {}, end: () => {} };
  // Its own end on SIGINT would end the process before the summary.
  const bar = new SingleBar(
    { stream: process.stderr, gracefulExit: false, etaBuffer: 50 },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { step: (count = 1) => bar.increment(count), end: () => bar.stop() };
}
