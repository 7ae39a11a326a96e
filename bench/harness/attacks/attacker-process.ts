import { answerParent } from '../fork-program.ts';
import { attacksOn, type AttackQuestion } from './attacks.ts';

answerParent(({ name, token, ms, ...target }: AttackQuestion) =>
  attacksOn(target)[name](token, AbortSignal.timeout(ms)),
);
