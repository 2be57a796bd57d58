/** Names of tokens go into records of who did what. */
export const TOKEN_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u;

export const TOKEN_NAME_FORM = '1..64 letters, digits, spaces and . _ @ -, beginning with a letter or a digit';
