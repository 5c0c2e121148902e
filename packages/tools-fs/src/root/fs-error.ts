import { AgentError, NotFoundError, ToolDeniedError } from '@harperfast/agent-core/contracts';

interface SystemError extends Error {
  readonly code: string;
}

/** Whether the operating system refused, with this code when one is given. */
export function isSystemError(error: unknown, code?: string): error is SystemError {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    (code === undefined || error.code === code)
  );
}

/** Says which file an operating system error is about without its path on this machine. Other errors pass as they are. */
export function describeFsError(error: unknown, label: string): unknown {
  if (!isSystemError(error)) return error;
  switch (error.code) {
    case 'ENOENT':
      return new NotFoundError(`${label} does not exist.`);
    case 'ELOOP':
      return linkRefused(label);
    case 'ENOTDIR':
      return new NotFoundError(
        `${label}: a part of the path is a file where a folder is needed (read_file shows files).`,
      );
    case 'EACCES':
    case 'EPERM':
      return new AgentError('no_access', `${label}: the server's own user may not do this (${error.code}).`);
    case 'ENOSPC':
    case 'EDQUOT':
      return new AgentError('disk_full', `${label}: the disk is full (${error.code}). Nothing was changed.`);
    case 'EXDEV':
      return new AgentError(
        'other_disk',
        `${label}: the two names lie on different disks. Write the new one instead.`,
      );
    default:
      return new AgentError('file_failed', `${label}: the operating system answered ${error.code}.`);
  }
}

/** Links are refused as such: one that stays inside today may leave tomorrow. */
export function linkRefused(label: string): ToolDeniedError {
  return new ToolDeniedError(
    `${label}: a symbolic link is never followed. Use the path of what it points to.`,
  );
}
