"""Causes that are plain Python: names that are gone, misspelt or missing, and arity."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.names import (
    dict_keys,
    dict_typos,
    field_order,
    fields,
    fix,
    items,
    match,
    on_class,
)
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("removed-api", match.removed, fix.write_new_name),
    rule("missing-import", match.missing_import, fix.add_import),
    rule("value-one-level-deeper", items.one_level_deeper, items.read_item),
    rule("key-read-as-attribute", dict_keys.key_as_attribute, dict_keys.read_key),
    rule("key-misspelt", dict_typos.misspelt_key, dict_typos.write_key),
    rule("attribute-typo", match.attribute_typo, fix.spell_attribute),
    rule("name-typo", match.name_typo, fix.spell_name),
    rule("mutable-field-default", fields.mutable_default, fields.unchangeable_default),
    rule("field-after-default", field_order.field_after_default),
    rule("method-called-on-class", on_class.method_on_class, on_class.make_object),
    rule("wrong-arity", match.wrong_arity, fix.fit_call),
)
