-- Policies made by it stay: taking them away would show every tenant's rows.
DROP PROCEDURE tenantry.protect(regclass, name, name[]);
