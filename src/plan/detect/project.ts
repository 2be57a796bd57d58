/** What a detector may ask of the project; paths are relative to it. */
export interface ProjectFiles {
  /** Whether there is a file or directory; `*.sln` asks for any at the top with that ending. */
  readonly has: (path: string) => boolean;
  /** Content of a file; '' where there is none. */
  readonly read: (path: string) => string;
}

export interface DetectedSetup {
  readonly run: string;
  /** Files that decide whether an earlier result may be reused. */
  readonly inputs: readonly string[];
}

export interface DetectedCheck {
  /** The sentence that this check proves. */
  readonly text: string;
  readonly run: string;
  /** Where loopback is not enough: tools that load dependencies while they test. */
  readonly network?: 'all';
}

export type Ecosystem = 'node' | 'cargo' | 'go' | 'python' | 'maven' | 'gradle' | 'dotnet' | 'make' | 'unknown';

/** What one ecosystem needs and offers in this project. */
export interface Detection {
  readonly ecosystem: Ecosystem;
  readonly setup?: DetectedSetup;
  readonly checks: readonly DetectedCheck[];
}

export const TESTS_PASS = 'The test suite passes';
