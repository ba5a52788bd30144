/** Where AWS serves; keys of AWS go nowhere else unless the config names a host. */
export const AWS_HOSTS = ['*.amazonaws.com', '*.amazonaws.com.cn', '*.api.aws'] as const;
