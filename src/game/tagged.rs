//! Events are stored as objects whose first field, `event`, names the kind: `{"event":"waits","power":0,"on":true}`. serde can read
//! that form too, but it puts each object down in memory first, since the name might come last. Here the name is read first
//! and what follows straight into the event; only where it does come later, the object is put down.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IgnoredAny, MapAccess, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

/// The field with the name.
const TAG: &str = "event";

/// An enum that is stored so.
pub(crate) trait Tagged: Sized {
    /// Reads one kind of it by its name: a function that serde derives.
    fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error>;
}

/// Reads the form in which the name is a field.
pub(crate) fn read<'de, T: Tagged, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Tagged> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the field `{TAG}`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<T, A::Error> {
        let Some(first) = fields.next_key::<String>()? else {
            return Err(A::Error::missing_field(TAG));
        };
        if first == TAG {
            let name: String = fields.next_value()?;
            return T::read(Named { name, fields });
        }
        let mut object = Map::new();
        object.insert(first, fields.next_value()?);
        while let Some((key, value)) = fields.next_entry::<String, Value>()? {
            object.insert(key, value);
        }
        let Some(Value::String(name)) = object.remove(TAG) else {
            return Err(A::Error::missing_field(TAG));
        };
        let fields = serde::de::value::MapDeserializer::new(object.into_iter());
        T::read(Named { name, fields }).map_err(|error: serde_json::Error| A::Error::custom(error))
    }
}

/// A name, and the fields that follow it, as one of the kinds of an enum.
struct Named<A> {
    name: String,
    fields: A,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Named<A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Named<A> {
    type Error = A::Error;
    type Variant = Fields<A>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), A::Error> {
        let name = seed.deserialize(StrDeserializer::new(&self.name))?;
        Ok((name, Fields(self.fields)))
    }
}

struct Fields<A>(A);

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Fields<A> {
    type Error = A::Error;

    fn unit_variant(mut self) -> Result<(), A::Error> {
        while self.0.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn newtype_variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<V::Value, A::Error> {
        seed.deserialize(MapAccessDeserializer::new(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("an object has no list of values"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.0)
    }
}
