/** File descriptors of a guarded child beyond the standard three. */
export const GATE_FD = 3;
export const READY_FD = 4;
export const STATUS_FD = 5;
export const FILTER_FD = 6;

/** What the shell around the command ends with when the gate never opened. */
const GATE_CLOSED_EXIT_CODE = 125;

/**
 * Around every command. It says that it stands, waits at the gate for one line – the end of the stream means
 * that the engine died before it had recorded us – runs the command, and leaves its exit code in a file.
 * The shell outlives SIGTERM (a caught signal is default again in the command) to say how the command ended. Once it
 * was asked to end it leaves no exit code: many programs end with 0 when they are stopped half-way, and that must not
 * be taken for a completion. `exec` in a
 * subshell finds programs only, never shell builtins, and answers 126 and 127 like any shell.
 * Arguments: directory, exit file or '', command…
 */
const SCRIPT = `
trap workcenter_asked=1 TERM INT HUP
CDPATH= cd -- "$1" || exit ${GATE_CLOSED_EXIT_CODE}
workcenter_exit_file=$2
workcenter_asked=
shift 2
echo ready >&${READY_FD}
IFS= read -r workcenter_line <&${GATE_FD} || exit ${GATE_CLOSED_EXIT_CODE}
exec ${GATE_FD}<&- ${READY_FD}>&- ${STATUS_FD}>&- ${FILTER_FD}<&-
unset workcenter_line
(unset workcenter_exit_file workcenter_asked; exec "$@")
code=$?
if [ -n "$workcenter_exit_file" ] && [ -z "$workcenter_asked" ]; then
  echo "$code" > "$workcenter_exit_file.new" && mv -f "$workcenter_exit_file.new" "$workcenter_exit_file"
fi
exit "$code"
`;

/** The command line that runs `argv` behind the gate, in `cwd`. */
export function gatedArgv(spec: { argv: readonly string[]; cwd: string; exitFile?: string | undefined }): string[] {
  return ['/bin/sh', '-c', SCRIPT, 'workcenter', spec.cwd, spec.exitFile ?? '', ...spec.argv];
}
