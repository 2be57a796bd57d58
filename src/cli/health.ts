import { isEmbedded, isFresh } from '../engine/embedded.ts';
import { fail, type Health, ok, warn } from '../engine/on-demand/health.ts';
import type { App } from './app.ts';

/** Folds every stream again and compares; with `repair` it also mends. */
export async function storeHealth(app: App, repair: boolean): Promise<readonly Health[]> {
  if (repair) {
    const { repaired, left } = await app.store.repair();
    const lines = repaired.map(({ what }) => warn('store', `mended: ${what}`, 'Nothing more to do.'));
    const rest = left.map(({ what }) => fail('store', what, 'Only a backup helps: workcenter backup keeps one.'));
    return lines.length + rest.length === 0 ? [ok('store', 'nothing had to be mended')] : [...lines, ...rest];
  }
  const report = await app.store.doctor();
  if (report.healthy) return [ok('store', `${report.items} items, ${report.events} events, all tables agree`)];
  return report.findings.map(({ what, itemId }) =>
    fail('store', itemId === undefined ? what : `${itemId}: ${what}`, 'workcenter doctor --repair'),
  );
}

export async function workerHealth(app: App): Promise<readonly Health[]> {
  const now = app.shell.now();
  const workers = await app.store.workers();
  const fresh = workers.filter((worker) => isFresh(worker, now));
  const lines = fresh.map((worker) => {
    const kind = isEmbedded(worker) ? 'run' : 'server';
    return ok('worker', `${kind}, process ${worker.pid}, version ${worker.version}`);
  });
  return lines.length > 0 ? lines : [ok('worker', 'no other engine is at work')];
}
