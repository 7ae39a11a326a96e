import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.ts';

type Counts = { readonly done: number; readonly failed: number };

/** Shows how much is done. */
export type Progress = {
  readonly show: (counts: Counts) => void;
  readonly step: (isFailed?: boolean) => void;
  readonly end: () => void;
};

/** The time that is left at the pace until now, such as `2 min 5 s left`. */
export function timeLeft(tookMs: number, ended: number, left: number): string {
  if (ended === 0 && left > 0) return 'no estimate yet';
  const seconds = Math.ceil(((tookMs / Math.max(ended, 1)) * left) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes === 0 ? '' : `${minutes} min `}${seconds % 60} s left`;
}

/** A bar on the terminal; nothing where no terminal shows it. */
export function startProgress({ terminal }: Output, total: number): Progress {
  if (terminal === null || total === 0) return { show: () => {}, step: () => {}, end: () => {} };
  const bar = new SingleBar(
    {
      stream: terminal,
      // Its own end on SIGINT would end the process before the summary.
      gracefulExit: false,
      barsize: 24,
      format: '{bar} {percentage}% | {ended}/{total} | {done} done, {failed} failed | {rest}',
    },
    Presets.shades_classic,
  );
  const startedAt = Date.now();
  let counts: Counts = { done: 0, failed: 0 };
  /** What an earlier call of the command had done says nothing about the pace of this one. */
  let earlier: number | null = null;
  const payload = (ended: number) => ({
    ...counts,
    ended,
    rest: timeLeft(Date.now() - startedAt, ended - (earlier ?? ended), total - ended),
  });
  const show: Progress['show'] = (now) => {
    counts = now;
    const ended = now.done + now.failed;
    earlier ??= ended;
    bar.update(ended, payload(ended));
  };
  bar.start(total, 0, payload(0));
  return {
    show,
    step: (isFailed = false) => {
      earlier ??= 0;
      const { done, failed } = counts;
      show(isFailed ? { done, failed: failed + 1 } : { done: done + 1, failed });
    },
    end: () => bar.stop(),
  };
}
