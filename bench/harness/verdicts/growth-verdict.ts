import { median } from '../measures/load.ts';

/** Garbage that is not collected yet differs by so much from sample to sample. */
const toleratedGrowth = 1.05;

/**
 * Judges samples of resident memory in MB, taken at equal steps of the load: no more than
 * `limitMb`, and no growth after the first tenth. It compares the medians of the first and the last
 * fifth of the rest. Needs at least 20 samples.
 */
export function judgeGrowth(name: string, samplesMb: readonly number[], limitMb: number | null) {
  if (samplesMb.length < 20) throw new Error(`${samplesMb.length} samples show no growth`);
  const rest = samplesMb.slice(Math.ceil(samplesMb.length / 10));
  const fifth = Math.ceil(rest.length / 5);
  const [earlyMb, lateMb] = [median(rest.slice(0, fifth)), median(rest.slice(-fifth))];
  const maxMb = Math.max(...samplesMb);
  const problems = [
    ...(limitMb !== null && maxMb > limitMb
      ? [`${name} has ${Math.round(maxMb)} MB, more than ${limitMb}`]
      : []),
    ...(limitMb !== null && lateMb > earlyMb * toleratedGrowth
      ? [`${name} grows from ${Math.round(earlyMb)} MB to ${Math.round(lateMb)} MB`]
      : []),
  ];
  return { name, maxMb, earlyMb, lateMb, problems };
}
