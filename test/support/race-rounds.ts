/** The rounds of a race: 20 in `npm test`, 100 in `npm run test:systems`. */
export const raceRounds = Number(process.env['RACE_ROUNDS'] ?? 20);
