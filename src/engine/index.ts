export { type Engine, type EngineOptions, openEngine } from './engine.ts';
export { type Home, homeAt, prepareHome } from './home.ts';
export { type Notice, noticeOf, runNotifyCommand } from './notify.ts';
export { DEFAULT_SETTINGS, type EngineSettings, engineSettings } from './settings.ts';
export { type DirtyPolicy, type Ground, type Payload, type Submission, type Submitted, submitItem } from './submit.ts';
export { standingOf, thisWorker, type Worker } from './worker.ts';
export { issue, type Log, type World, wasRefused } from './world.ts';
