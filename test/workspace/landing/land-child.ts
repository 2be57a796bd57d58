import { landOnTarget } from '../../../src/workspace/landing/land.ts';
import { type LandingRequest, planLanding } from '../../../src/workspace/landing/plan-landing.ts';

/** A process that lands and is killed meanwhile: `node land-child.ts <request as JSON> <state directory>`. */
const request: LandingRequest = JSON.parse(process.argv[2] ?? '');
const plan = await planLanding(request);
if (plan.kind !== 'fast_forward') throw new Error(`unexpected plan ${plan.kind}`);
await landOnTarget(plan, request, { stateDir: process.argv[3] ?? '' });
