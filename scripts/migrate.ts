import { loadConfigOrExit } from '../config.ts';
import { migrate } from '../db/migrate.ts';

/** `npm run migrate`: brings DATABASE_URL to the newest schema. */
const config = loadConfigOrExit();
if (config.DATABASE_URL === undefined) {
  console.error('DATABASE_URL: must be set; `npm start` migrates the embedded database by itself');
  process.exit(1);
}
await migrate(config.DATABASE_URL, (line) => {
  console.log(line);
});
console.log('The schema is up to date.');
