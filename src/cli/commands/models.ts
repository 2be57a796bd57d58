import { answer, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { coordinatorOrFailure } from '../configuration.ts';
import { modelsText } from '../render/models.ts';

async function listAll(app: App): Promise<Outcome> {
  const { modelCatalogue } = await import('../../engine/on-demand/model-catalogue.ts');
  const { value } = await app.store.readSettings();
  const { coordinator: found, ...catalogue } = modelCatalogue(app.shell.env, value);
  const coordinator = coordinatorOrFailure(found);
  const json = {
    ...catalogue,
    coordinator: 'ref' in coordinator ? coordinator : null,
    problem: 'ref' in coordinator ? null : coordinator.code,
  };
  return answer(modelsText(catalogue, coordinator, app.shell), json);
}

export const models: CommandModule = {
  define: (parser) => void parser,
  examples: ['workcenter models', 'workcenter settings set models.coordinator anthropic/claude-opus-4-8'],
  userOnly: false,
  run: (shell) => withApp(shell, listAll),
};
