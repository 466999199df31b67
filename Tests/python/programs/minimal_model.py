"""A body by Bergman's minimal model, as a program that lives in loopsim's loop.

Glucose and the action of insulin are those of R. N. Bergman, Y. Z. Ider, C. R. Bowden, C. Cobelli,
"Quantitative estimation of insulin sensitivity", Am. J. Physiol. 236 (1979) E667:

    dG/dt = p1 Gb - (p1 + X) G + Ra / V        dX/dt = p3 I - p2 X

Insulin under the skin and food in the gut pass two compartments each, as in R. Hovorka et al.,
"Nonlinear model predictive control of glucose concentration in subjects with type 1 diabetes",
Physiol. Meas. 25 (2004) 905; plasma insulin I follows what leaves the skin at once. The figures of
an average person with type 1 diabetes are those of the public simulator
McGillDiabetesLab/artificial-pancreas-simulator.
"""

import loopsim

FIGURES = {
    "weight": 70.0,  # kg
    "clearance": 0.02,  # of insulin, L/kg/min
    "tauI": 70.0,  # of each compartment under the skin, min
    "tauM": 40.0,  # of each compartment of the gut, min
    "tauS": 10.0,  # of the interstitium, min
    "volume": 0.20,  # of glucose, L/kg
    "bioavailability": 0.8,
    "p1": 0.001,  # 1/min
    "p2": 0.075,  # 1/min
    "p3": 5e-5,  # 1/min² per mU/L
    "basal": 0.742,  # U/h that hold ...
    "held": 6.5,  # ... this glucose, mmol/L
}
#: mg/dL in one mmol/L, and grams of glucose in one mol.
MGDL, MOLAR = 18.0156, 180.1577


class MinimalModel(loopsim.Patient):
    version = "1"

    def reset(self, begin):
        p = self.p = {**FIGURES, **begin["parameters"]}
        self.sensitivity = 1.0
        self.rate = 0.0  # of a continuous inflow, U/min
        self.meals = []  # [time constant, first compartment, second, g/min, minutes of eating left]
        #: mU/L of plasma insulin for one U/min that leaves the skin.
        self.per_flow = 1_000 / (p["clearance"] * p["weight"])
        held = p["basal"] / 60 * self.per_flow
        self.gb = p["held"] * (1 + p["p3"] / p["p2"] * held / p["p1"])
        # The steady state of the glucose that the scenario wants.
        glucose = (begin["initialGlucose"] or p["held"] * MGDL) / MGDL
        action = p["p1"] * (self.gb / glucose - 1)
        under_skin = action * p["p2"] / p["p3"] / self.per_flow * p["tauI"]
        self.state = [under_skin, under_skin, action, glucose, glucose]

    def live(self, now):
        unknown = []
        for minutes, entering in now.pieces():
            self.pass_time(minutes)
            for row in entering:
                if "units" in row:
                    self.state[0] += row["units"]
                elif "rate" in row:
                    self.rate = row["rate"] / 60
                elif "grams" in row:
                    self.eat(row)
                elif row["kind"] == "insulinSensitivity":
                    self.sensitivity = row["value"]
                else:
                    unknown.append(row["kind"])
        skin, leaving, _, glucose, sensed = self.state
        return loopsim.Lived(
            max(0.0, glucose * MGDL), sensed=max(0.0, sensed * MGDL), iob=skin + leaving,
            unknown=unknown)

    def eat(self, meal):
        # 95 % of what passes two compartments have left them after 4.7439 time constants.
        stated = meal["absorption"]
        tau = self.p["tauM"] if stated is None else max(stated / 60, 5) / 4.7439
        minutes = meal["over"] / 60
        if minutes > 0:
            self.meals.append([tau, 0.0, 0.0, meal["grams"] / minutes, minutes])
        else:
            self.meals.append([tau, meal["grams"], 0.0, 0.0, 0.0])

    def pass_time(self, minutes):
        """Solves the equations by the method of Runge and Kutta, in steps of at most a minute."""
        while minutes > 1e-9:
            # A step ends where eating does.
            step = min([1.0, minutes] + [meal[4] for meal in self.meals if meal[4] > 1e-9])
            y = self.state + [grams for meal in self.meals for grams in meal[1:3]]
            k1 = self.change(y)
            k2 = self.change([a + step / 2 * b for a, b in zip(y, k1)])
            k3 = self.change([a + step / 2 * b for a, b in zip(y, k2)])
            k4 = self.change([a + step * b for a, b in zip(y, k3)])
            y = [
                a + step / 6 * (b + 2 * c + 2 * d + e)
                for a, b, c, d, e in zip(y, k1, k2, k3, k4)]
            self.state = y[:5]
            for number, meal in enumerate(self.meals):
                meal[1:3] = y[5 + 2 * number:7 + 2 * number]
                meal[4] -= step
            minutes -= step

    def change(self, y):
        p = self.p
        skin, leaving, action, glucose, sensed = y[:5]
        gut = []
        appearing = 0.0
        for number, (tau, _, _, pace, left) in enumerate(self.meals):
            first, second = y[5 + 2 * number:7 + 2 * number]
            gut += [(pace if left > 1e-9 else 0.0) - first / tau, (first - second) / tau]
            appearing += second / tau
        flow = leaving / p["tauI"]
        raised = p["bioavailability"] * appearing * 1_000 / MOLAR / (p["volume"] * p["weight"])
        return [
            self.rate - skin / p["tauI"],
            skin / p["tauI"] - flow,
            p["p3"] * self.sensitivity * flow * self.per_flow - p["p2"] * action,
            p["p1"] * self.gb + raised - (p["p1"] + action) * glucose,
            (glucose - sensed) / p["tauS"],
        ] + gut


if __name__ == "__main__":
    MinimalModel().serve()
