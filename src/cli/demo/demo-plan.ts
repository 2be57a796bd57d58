/** The checks of the demo; a reader may run the same commands by hand. */
const PROTECT = 'protect: [test/**, vendor/**, package.json]';

/** A path as YAML writes it, whatever characters it holds. */
const quote = (text: string): string => JSON.stringify(text);

/**
 * The plan that the demo carries out, as a file that a person could have written. `agents` is the absolute path of the
 * stand-ins. Nobody is `for` the last criterion: only the merged result can prove it.
 */
export const demoPlan = (
  agents: string,
): string => `# The plan of the demo. Run it again:  workcenter run plan.yaml --repo repository
title: Mend two bugs in tidy-invoices
goal: |
  Two customers reported wrong invoices. Mend both bugs; the whole test suite passes and nothing else changes.
instructions: Change files in src only. The tests say what is right.
setup:
  run: npm ci --offline
  inputs: [package-lock.json, vendor/plain-table/package.json]
  network: none
criteria:
  - id: c1
    text: Half a cent of a credit note is rounded away from zero, like that of its invoice
    check: { run: node --test test/money.test.js, ${PROTECT} }
  - id: c2
    text: Two quotes inside a quoted field are read as one
    check: { run: node --test test/csv.test.js, ${PROTECT} }
  - id: c3
    text: The whole test suite passes on the merged result
    check: { run: npm test, ${PROTECT} }
delivery: workspace_files
sandbox:
  network: loopback
  readable: ${quote(agents)}
actions:
  - id: rounding
    name: Mend the rounding of credit notes
    type: implement
    for: c1
    identity: canned-agent-1
    brief: A credit note is a cent off its invoice. test/money.test.js shows it; the cause is in src/money.js.
    run: [node, ${quote(`${agents}/canned-agent.mjs`)}, rounding]
    timeoutSec: 2m
  - id: quotes
    name: Mend doubled quotes in CSV
    type: implement
    for: c2
    identity: canned-agent-2
    brief: An article called 3" pipe loses its quote. test/csv.test.js shows it; the cause is in src/csv.js.
    run: [node, ${quote(`${agents}/canned-agent.mjs`)}, quotes]
    timeoutSec: 2m
`;
