/** Environments for child processes: an allow-list, and answers for every tool that would ask a person. */

/** Where things are and how text looks. Names of secrets never belong here. */
const PASSED = new Set([
  ...['PATH', 'LANG', 'LANGUAGE', 'TZ', 'USER', 'LOGNAME', 'SHELL', 'LOCALE_ARCHIVE'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
  ...['GIT_SSL_CAINFO', 'NIX_SSL_CERT_FILE', 'NIX_PATH'],
  ...['JAVA_HOME', 'GOROOT', 'RUSTUP_HOME', 'PYENV_ROOT', 'RBENV_ROOT', 'NVM_DIR', 'VOLTA_HOME', 'ASDF_DIR'],
]);

const PROXIES = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']);

/**
 * `GIT_CONFIG_NOSYSTEM` is not set: the administrator's proxy, certificates and filters live there, while the
 * person's own configuration is out of sight with the home directory. `CI` is not set either: it makes
 * package managers freeze lock files, test runners refuse new snapshots and bundlers turn warnings into
 * errors, so it changes results; who wants that (a check) passes it in `extra`.
 */
const UNATTENDED: Readonly<Record<string, string>> = Object.freeze({
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GCM_INTERACTIVE: 'never',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  SUDO_ASKPASS: '/bin/false',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  npm_config_yes: 'true',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
});

export interface ChildEnvironmentSpec {
  /** The engine's own environment; the caller reads it, not we. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** What the plan declares. Names beginning with `WORKCENTER_` are ignored. */
  readonly declared?: Readonly<Record<string, string>>;
  /** What the engine adds; wins over everything. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The complete environment of a child. HOME and TMPDIR come from `privateDirectories` in `extra`. */
export function childEnvironment(spec: ChildEnvironmentSpec): Record<string, string> {
  const declared = Object.entries(spec.declared ?? {}).filter(([name]) => !name.startsWith('WORKCENTER_'));
  return { ...inherited(spec.parent), ...UNATTENDED, ...Object.fromEntries(declared), ...spec.extra };
}

/** The variables that point a child at its private home and temporary directory. */
export function privateDirectories(paths: { home: string; temp: string }): Record<string, string> {
  return { HOME: paths.home, TMPDIR: paths.temp, TMP: paths.temp, TEMP: paths.temp };
}

function inherited(parent: ChildEnvironmentSpec['parent']): Record<string, string> {
  const result: Record<string, string> = { ...toolHomes(parent) };
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue;
    if (PASSED.has(name) || name.startsWith('LC_')) result[name] = value;
    if (PROXIES.has(name.toUpperCase())) result[name] = withoutLogin(value);
  }
  return result;
}

/** Rust's tools look beneath HOME, which is a private one here. */
function toolHomes(parent: ChildEnvironmentSpec['parent']): Record<string, string> {
  const cargo = `${parent.HOME}/.cargo/bin`;
  return parent.PATH?.split(':').includes(cargo) === true ? { RUSTUP_HOME: `${parent.HOME}/.rustup` } : {};
}

/** A proxy's address without the name and password it may carry. */
function withoutLogin(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1');
}
