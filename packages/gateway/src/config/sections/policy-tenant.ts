/** Policy keys of `tenants.<t>`, spread into its strict object beside the ground keys. */
export const policyTenantShape = {};
