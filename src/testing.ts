/**
 * For the tests of programs that use a model: a server on loopback that speaks the providers' protocols and answers
 * by a scenario. `docs/testing.md` explains it.
 */
export type { ModelMessage } from './model/model-request.ts';
export { parseScenario, parseScenarioText, type ScenarioResult } from './model/scripted/parse-scenario.ts';
export type { RecordedRequest, StepCount } from './model/scripted/recorder.ts';
export type {
  Broken,
  ErrorReply,
  Pattern,
  Patterns,
  Reply,
  ReplyFunction,
  ScriptedCall,
  ScriptedScenario,
  ScriptedStep,
  ScriptedUsage,
  Stop,
  When,
} from './model/scripted/scenario.ts';
export type { Protocol, ScriptedRequest } from './model/scripted/scripted-request.ts';
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from './model/scripted/start-scripted-model.ts';
