import { type DetectedSetup, type Detection, type ProjectFiles, TESTS_PASS } from './project.ts';

/** The environment belongs to the set-up, not to the result: it ignores itself. */
const IGNORE_VENV = "printf '*\\n' > .venv/.gitignore";

const withPip = (install: string): string =>
  `python3 -m venv .venv && .venv/bin/python -m pip install ${install} && ${IGNORE_VENV}`;

function setupOf(files: ProjectFiles, pytest: boolean): DetectedSetup | undefined {
  const extra = pytest ? ' pytest' : '';
  if (files.has('uv.lock')) return { run: 'uv sync --frozen', inputs: ['pyproject.toml', 'uv.lock'] };
  if (files.has('poetry.lock')) {
    const run = `POETRY_VIRTUALENVS_IN_PROJECT=true poetry install && ${IGNORE_VENV}`;
    return { run, inputs: ['pyproject.toml', 'poetry.lock'] };
  }
  if (files.has('requirements.txt')) {
    const more = files.has('requirements-dev.txt') ? ' -r requirements-dev.txt' : '';
    const inputs = ['requirements.txt', ...(more === '' ? [] : ['requirements-dev.txt'])];
    return { run: withPip(`-r requirements.txt${more}${extra}`), inputs };
  }
  return files.has('pyproject.toml') ? { run: withPip(`-e .${extra}`), inputs: ['pyproject.toml'] } : undefined;
}

function usesPytest(files: ProjectFiles): boolean {
  const mentions = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'setup.cfg', 'tox.ini'];
  return (
    files.has('pytest.ini') || files.has('conftest.py') || mentions.some((path) => /pytest/.test(files.read(path)))
  );
}

export function detectPython(files: ProjectFiles): Detection | undefined {
  const isProject = ['pyproject.toml', 'requirements.txt', 'setup.py', 'pytest.ini'].some(files.has);
  if (!isProject) return undefined;
  const pytest = usesPytest(files);
  const setup = setupOf(files, pytest);
  const python = setup ? '.venv/bin/python' : 'python3';
  // An editable install points at the checkout where the set-up ran; the path makes the code under test win.
  const path = files.has('src') ? 'PYTHONPATH=src ' : '';
  const run = `${path}${python} -m ${pytest ? 'pytest' : 'unittest discover'}`;
  const testable = pytest || files.has('tests') || files.has('test');
  return { ecosystem: 'python', ...(setup ? { setup } : {}), checks: testable ? [{ text: TESTS_PASS, run }] : [] };
}
