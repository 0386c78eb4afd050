"""Causes that are plain Python: names that are gone, misspelt or missing, and arity."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.names import (
    arity,
    attributes,
    dict_keys,
    dict_typos,
    field_order,
    fields,
    fit_call,
    items,
    on_class,
    removed,
    undefined,
)
from jaxtutor.core.diagnosis.rules import rule

RULES = (
    rule("removed-api", removed.removed, removed.write_new_name),
    rule("missing-import", undefined.missing_import, undefined.add_import),
    rule("value-one-level-deeper", items.one_level_deeper, items.read_item),
    rule("key-read-as-attribute", dict_keys.key_as_attribute, dict_keys.read_key),
    rule("key-misspelt", dict_typos.misspelt_key, dict_typos.write_key),
    rule("attribute-typo", attributes.attribute_typo, attributes.spell_attribute),
    rule("name-typo", undefined.name_typo, undefined.spell_name),
    rule("mutable-field-default", fields.mutable_default, fields.unchangeable_default),
    rule("field-after-default", field_order.field_after_default),
    rule("method-called-on-class", on_class.method_on_class, on_class.make_object),
    rule("wrong-arity", arity.wrong_arity, fit_call.fit_call),
)
