import { onMachine, placeOf, type ServedApi } from '../../api/index.ts';
import type { Engine, LiveText } from '../../engine/index.ts';
import type { App } from '../app.ts';
import { serveHttp } from '../http-server.ts';
import type { OpenedWorld } from '../world.ts';

/** The page of the demo: the same run, live in the browser of the person. Any free port, this machine only. */
export async function serveDemo(
  app: App,
  { world }: OpenedWorld,
  engine: Engine,
  liveText: LiveText,
): Promise<ServedApi | undefined> {
  const place = await placeOf('127.0.0.1');
  if (!place) return undefined;
  const plan = { port: 0, place, allowHosts: [], requireToken: false };
  return serveHttp(app, plan, { troubles: () => engine.troubles(), liveText, machine: onMachine(world) });
}
