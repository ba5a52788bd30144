/** Policy keys of the top level, spread into its strict object beside the ground keys. */
export const policyTopShape = {};
