// The host's half of the data API, which Swift installs.
export const dataHost = host.data;
